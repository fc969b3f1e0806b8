/** The partner contract as types. Generated: `npm run generate` renews this file. */

export interface paths {
    "/billing/settle": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Settle the balance of a net-terms account
         * @description Pays the outstanding balance, or `amount_cents` of it, with the account's default saved card (B16). Without
         *     `idempotency_key` a repeated call settles again. With it, a repeated call returns the first settlement, or 409
         *     `idempotency_outcome_unknown` until its outcome is known (G28). A prepaid key, or a balance without debt, gets 409
         *     `nothing_to_settle`. An amount above the debt gets 400 `invalid_body` (G35). If a setting switches the operation
         *     off, it returns 404 `not_found`. The documents name this operation and do not describe it.
         */
        post: operations["settleBalance"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/team-orders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the account's team orders, newest first
         * @description Rows are team orders without their recipients (B1). `summary` counts the recipients by shipment and claim
         *     status. Claim links never appear here.
         */
        get: operations["listTeamOrders"];
        put?: never;
        /**
         * Create a team order and charge it
         * @description Every recipient receives the whole bundle, and the order is charged once. With addresses, shipping starts after
         *     payment; without, every recipient gets a personal claim link.
         *
         *     The same `idempotency_key` with the same body replays the original response, even if the order has changed
         *     since; a query string does not count (B5). With a different body it gets 409 `idempotency_payload_mismatch`. A 400, 404, 409 or 422 creates and
         *     charges nothing and leaves the key free (B4). After a 402 the team order exists unpaid. Cancel it, or fund the
         *     account and send the same body with the same key; that charges the same order again and returns 201 (0.10). Once
         *     that order is canceled, the same key returns 200 with the canceled order and charges nothing (B6).
         *
         *     Shares and refunds are whole cents that add up to `charged_cents` (B15). With claim links, shipping is priced
         *     for the most expensive of `destination_countries` (B14).
         */
        post: operations["createTeamOrder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/team-orders/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a team order with every recipient
         * @description The team order with its summary and totals, and every recipient with claim status, shipment stage, carrier,
         *     tracking, timestamps, address, money and `event.on_time` (B50). Claim links are included only with
         *     `?include=claim_links`. Reading changes nothing, even if a `recipient_ids` list is sent.
         */
        get: operations["getTeamOrder"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/team-orders/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a team order or some of its recipients
         * @description Cancels the given recipients, or all, except those that are in production, labeled or shipped. These stay
         *     unchanged and are listed in `skipped` with a reason. A canceled recipient's share of the payment is refunded to
         *     the wallet first (on net terms this lowers the outstanding balance), then to the card.
         *
         *     An unknown recipient id gets 404 and cancels nobody. An id given twice counts once. An empty list is refused
         *     (B39). If nothing could be canceled the response is 409 `nothing_to_cancel`, even if some recipients were
         *     canceled earlier (B39); its body has the lists `skipped` and `already_canceled` too (G181). While the outcome of the order's charge is unknown it is 409
         *     `idempotency_outcome_unknown` (G28). A call without a body cancels all recipients.
         */
        post: operations["cancelTeamOrder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/team-orders/{id}/manifest.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a team order as CSV
         * @description A header and one row per recipient, in the order of the request, with these columns (B35): recipient_id, name,
         *     company, email, address1, city, state, zip, country, claim_status, order_status, carrier, tracking_number,
         *     shipped_at, delivered_at, items, subtotal_cents, shipping_cents, event_fees_cents, total_cents, po_number,
         *     reference, quote_number, duties_cents, event_date, rush, on_time. Claim links never appear here.
         *
         *     Texts are returned as they were sent. With the setting `partner.manifest_neutralized`, an apostrophe precedes
         *     those that a spreadsheet would run as a formula. `items` lists the items that the recipient gets, with the
         *     recipient's `quantity` and choices, each by the code of a SKU (G183). The first three amounts add up to
         *     `total_cents`. `duties_cents` is shown and not charged (B53).
         */
        get: operations["getTeamOrderManifest"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the account's endpoints
         * @description Endpoints with their numbers of pending and dead deliveries (B29). Disabled endpoints can still be read (B28).
         */
        get: operations["listWebhooks"];
        put?: never;
        /**
         * Subscribe an endpoint
         * @description The URL must be https on a public host: no IP literals, no embedded credentials, no private networks. The host
         *     is resolved at creation and again before every attempt. Further rules (B48): a host name of at least two labels
         *     in plain ASCII, no port but 443, no fragment, at most 2,048 characters. `secret` signs the deliveries and is
         *     returned only here. A key may have 10 endpoints, which the account keeps when the key is revoked (G189). To
         *     deliver to your own machine, keep a public host name here and forward it in the control API's receiver table
         *     (G27).
         */
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an endpoint with its latest deliveries
         * @description The endpoint and its last 50 deliveries, newest first.
         */
        get: operations["getWebhook"];
        put?: never;
        post?: never;
        /**
         * Disable an endpoint
         * @description The endpoint can still be read, with the status `disabled`, and no longer counts toward the key's limit of 10.
         *     Its pending deliveries are dropped. Disabling it again gives the same response (B28).
         */
        delete: operations["disableWebhook"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a signed ping immediately
         * @description Sends one delivery of type `ping` at once and returns the endpoint's response. The ping is not retried and
         *     counts neither as pending nor as dead (B29). A disabled endpoint gets 404 (B28).
         */
        post: operations["testWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    "order.delivered": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A single order was delivered
         * @description The documents do not show these payload fields (B37). Team orders do not produce this event.
         */
        post: operations["orderDelivered"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "order.shipped": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A single order shipped
         * @description The documents do not show these payload fields (B37). Team orders do not produce this event.
         */
        post: operations["orderShipped"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    ping: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A ping, sent by `POST /webhooks/{id}/test`
         * @description Sent once and never retried (B29). Endpoints cannot subscribe to it.
         */
        post: operations["ping"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "team_order.claimed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A recipient claimed their gift
         * @description Not sent if the account enters the address after the link has expired (G33).
         *
         *     Events are collected and sent hourly. If the response is not 2xx, or does not arrive within 10 seconds, the
         *     delivery is retried 8 times: after 5 min, 15 min, 1 h, 3 h, 6 h, 12 h, 24 h and 48 h, each counted from the
         *     previous attempt (B44). Then the delivery is dead. The event `id` is the same for all attempts and endpoints, so
         *     deduplicate by it.
         */
        post: operations["teamOrderClaimed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "team_order.delivered": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A recipient's parcel was delivered */
        post: operations["teamOrderDelivered"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "team_order.needs_attention": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A recipient needs attention
         * @description `data.reason` is `shipment_delayed` (no production activity within the promised time), `shipment_rejected`, or
         *     `claim_link_expired` (the recipient never entered an address: resend the link, enter the address, or cancel).
         */
        post: operations["teamOrderNeedsAttention"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "team_order.shipped": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A recipient's parcel shipped */
        post: operations["teamOrderShipped"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        Address: {
            address1: string;
            city: string;
            country: components["schemas"]["Country"];
            state: string | null;
            zip: string | null;
        };
        /**
         * @description Checked by the rules of its country: `state` is required for US, CA and AU, `zip` in the country's format. The
         *     countries are those of `destination_countries` (B40).
         */
        AddressRequest: {
            address1: string;
            city: string;
            country: string;
            state?: string | null;
            zip: string;
        } | null;
        AlreadyCanceledRecipient: {
            external_id: string;
            order_id: components["schemas"]["Id"];
            recipient_id: components["schemas"]["Id"];
        };
        AttentionDelivery: {
            created_at: components["schemas"]["Instant"];
            data: components["schemas"]["AttentionFact"];
            /** @description The event id, the same for all attempts. Deduplicate by it. */
            id: string;
            /** @constant */
            type: "team_order.needs_attention";
        };
        AttentionFact: {
            /** @description When it happened, not when it was sent. */
            occurred_at: components["schemas"]["Instant"];
            /** @enum {string} */
            reason: "shipment_delayed" | "shipment_rejected" | "claim_link_expired";
            recipient: components["schemas"]["SubjectRecipient"];
            shipment: components["schemas"]["SubjectShipment"];
            team_order: components["schemas"]["SubjectOrder"];
        };
        Billing: {
            /** @enum {string} */
            billing_mode: "prepaid" | "net_terms";
            card_charged_cents: components["schemas"]["Cents"];
            /** @description The balance after the charge. Negative on net terms. */
            new_cash_balance_cents: number;
            /** @description Null when nothing was charged (B6). */
            payment_transaction_id: string | null;
            /** @description The part of this charge that the wallet paid. On net terms, the whole charge (B38). */
            wallet_cash_cents: components["schemas"]["Cents"];
        };
        CanceledRecipient: {
            external_id: string;
            order_id: components["schemas"]["Id"];
            recipient_id: components["schemas"]["Id"];
            refund: components["schemas"]["Refund"];
            was_paid: boolean;
        };
        /** @description A refused cancel. With `nothing_to_cancel` it lists every recipient it was asked for (G181). */
        CancelError: {
            already_canceled?: components["schemas"]["AlreadyCanceledRecipient"][];
            error: components["schemas"]["Problem"];
            skipped?: components["schemas"]["SkippedRecipient"][];
        };
        Cancellation: {
            /** @description Recipients canceled earlier. They are not refunded again. */
            already_canceled: components["schemas"]["AlreadyCanceledRecipient"][];
            canceled: components["schemas"]["CanceledRecipient"][];
            /**
             * @constant
             * @enum {boolean}
             */
            ok: true;
            /** @description The sum of `refund.total_cents` in `canceled`. */
            refunded_cents: components["schemas"]["Cents"];
            skipped: components["schemas"]["SkippedRecipient"][];
            team_order_id: components["schemas"]["Id"];
        };
        CancelRequest: {
            reason?: string;
            /** @description The recipients to cancel. Default: all. */
            recipient_ids?: number[];
        };
        Cents: number;
        ChargedTotals: {
            /** @description The amount actually charged. */
            charged_cents: components["schemas"]["Cents"];
            event_fees_cents: components["schemas"]["Cents"];
            shipping_cents: components["schemas"]["Cents"];
            subtotal_cents: components["schemas"]["Cents"];
            total_cents: components["schemas"]["Cents"];
        };
        /** @description A refused charge, with the id of the unpaid team order. */
        ChargeError: {
            error: components["schemas"]["Problem"];
            team_order_id: components["schemas"]["Id"];
        };
        Claim: {
            /** @description Null for orders with addresses (B19), and until the order is paid (G32). */
            expires_at: components["schemas"]["InstantOrNull"];
            /**
             * Format: uri
             * @description The personal claim link, only if requested. An open seat has none (B50, G29).
             */
            link?: string;
            /** @description Always `submitted` for an active recipient with an address (B19). */
            status: components["schemas"]["ClaimStatus"];
        };
        ClaimedDelivery: {
            created_at: components["schemas"]["Instant"];
            data: components["schemas"]["TeamOrderFact"];
            /** @description The event id, the same for all attempts. Deduplicate by it. */
            id: string;
            /** @constant */
            type: "team_order.claimed";
        };
        /** @enum {string} */
        ClaimStatus: "awaiting" | "submitted" | "expired" | "canceled";
        Count: number;
        /** @enum {string} */
        Country: "US" | "CA" | "GB" | "AU" | "DE" | "FR" | "NL" | "IT" | "ES";
        DeliveredDelivery: {
            created_at: components["schemas"]["Instant"];
            data: {
                shipment?: {
                    carrier?: string;
                    delivered_at?: string;
                    shipped_at?: string;
                    tracking_number?: string;
                };
            } & components["schemas"]["TeamOrderFact"];
            /** @description The event id, the same for all attempts. Deduplicate by it. */
            id: string;
            /** @constant */
            type: "team_order.delivered";
        };
        /** @description The delivery of one event to one endpoint (B29, G26). */
        Delivery: {
            attempts: components["schemas"]["Count"];
            created_at: components["schemas"]["Instant"];
            event_id: string;
            id: components["schemas"]["Id"];
            /** @description Null before the first attempt, and if an attempt got no response. */
            last_status_code: number | null;
            /** @description Null if no further attempt is due. */
            next_attempt_at: components["schemas"]["InstantOrNull"];
            /** @enum {string} */
            status: "pending" | "delivered" | "dead" | "dropped";
            /** @enum {string} */
            type: "team_order.claimed" | "team_order.shipped" | "team_order.delivered" | "team_order.needs_attention" | "order.shipped" | "order.delivered" | "ping";
        };
        Endpoint: {
            created_at: components["schemas"]["Instant"];
            events: components["schemas"]["EventKind"][];
            id: components["schemas"]["Id"];
            status: components["schemas"]["EndpointStatus"];
            /** Format: uri */
            url: string;
        };
        EndpointCreated: {
            endpoint: components["schemas"]["Endpoint"];
            /** @description Shown only here. */
            secret: string;
            /** @constant */
            signature_header: "X-Service-Signature";
        };
        EndpointDetail: {
            /** @description Newest first. */
            deliveries: components["schemas"]["Delivery"][];
            endpoint: components["schemas"]["Endpoint"];
        };
        EndpointDisabled: {
            endpoint: {
                /** @constant */
                status?: "disabled";
            } & components["schemas"]["Endpoint"];
            /**
             * @constant
             * @enum {boolean}
             */
            ok: true;
        };
        EndpointList: {
            endpoints: components["schemas"]["EndpointRow"][];
        };
        EndpointRequest: {
            /** @description The event types to send, at least one. */
            events: components["schemas"]["EventKind"][];
            /** @description https on a public host. */
            url: string;
        };
        EndpointRow: {
            created_at: components["schemas"]["Instant"];
            dead_count: components["schemas"]["Count"];
            events: components["schemas"]["EventKind"][];
            id: components["schemas"]["Id"];
            pending_count: components["schemas"]["Count"];
            status: components["schemas"]["EndpointStatus"];
            /** Format: uri */
            url: string;
        };
        /** @enum {string} */
        EndpointStatus: "active" | "disabled";
        /** @description The documents do not show the error body. This one is the simulator's (0.9, B2). */
        Error: {
            error: components["schemas"]["Problem"];
        };
        /** @enum {string} */
        EventKind: "team_order.claimed" | "team_order.shipped" | "team_order.delivered" | "team_order.needs_attention" | "order.shipped" | "order.delivered";
        EventRequest: {
            /**
             * Format: date
             * @description Must not be before today (B33).
             */
            date: string;
            /** @default false */
            kit_assembly?: boolean;
            /** @default false */
            rush?: boolean;
        };
        FieldError: {
            field: string;
            message: string;
        };
        Id: number;
        /** Format: date-time */
        Instant: string;
        /** Format: date-time */
        InstantOrNull: string | null;
        /**
         * @description Exactly one of `merchant_sku_id`, `sku_code` and `merchant_product_id`. Only the last may have `fixed_options`
         *     and `choice_variation_ids`. An id or code that is not on the account gets `sku_not_found`.
         */
        ItemRequest: {
            /** @description Variations for which the recipient chooses an option on the claim page. */
            choice_variation_ids?: number[];
            /** @description Option ids by variation id. */
            fixed_options?: {
                [key: string]: number;
            };
            merchant_product_id?: number;
            merchant_sku_id?: number;
            /** @default 1 */
            quantity?: number;
            sku_code?: string;
        };
        /** @description This recipient's share of the order's money (B15). */
        Money: {
            event_fees_cents: components["schemas"]["Cents"];
            refunded_cents: components["schemas"]["Cents"];
            shipping_cents: components["schemas"]["Cents"];
            subtotal_cents: components["schemas"]["Cents"];
            total_cents: components["schemas"]["Cents"];
        };
        OrderDeliveredDelivery: {
            created_at: components["schemas"]["Instant"];
            data: {
                shipment?: {
                    carrier?: string;
                    delivered_at?: string;
                    shipped_at?: string;
                    tracking_number?: string;
                };
            } & components["schemas"]["OrderFact"];
            /** @description The event id, the same for all attempts. Deduplicate by it. */
            id: string;
            /** @constant */
            type: "order.delivered";
        };
        OrderEvent: {
            /** Format: date */
            event_date: string;
            fees_cents: components["schemas"]["Cents"];
            /** @description For all recipients together. On reads only (B32). */
            on_time?: boolean | null;
            rush: boolean;
        };
        OrderFact: {
            /** @description When it happened, not when it was sent. */
            occurred_at: components["schemas"]["Instant"];
            order: components["schemas"]["SingleOrder"];
            shipment: components["schemas"]["SubjectShipment"];
        };
        OrderShippedDelivery: {
            created_at: components["schemas"]["Instant"];
            data: {
                shipment?: {
                    carrier?: string;
                    shipped_at?: string;
                    tracking_number?: string;
                };
            } & components["schemas"]["OrderFact"];
            /** @description The event id, the same for all attempts. Deduplicate by it. */
            id: string;
            /** @constant */
            type: "order.shipped";
        };
        PingDelivery: {
            created_at: components["schemas"]["Instant"];
            data: components["schemas"]["PingFact"];
            /** @description The event id, the same for all attempts. Deduplicate by it. */
            id: string;
            /** @constant */
            type: "ping";
        };
        /** @description The documents do not show the ping's data. */
        PingFact: {
            endpoint: {
                id: components["schemas"]["Id"];
                status: components["schemas"]["EndpointStatus"];
            };
            occurred_at: components["schemas"]["Instant"];
        };
        Problem: {
            code: string;
            message: string;
            request_id: string;
        };
        Recipient: {
            /** @description Null until known. */
            address: components["schemas"]["Address"] | null;
            claim: components["schemas"]["Claim"];
            /**
             * @description Null for an open seat that nobody has claimed, and for a recipient whose address was given without an email
             *     (B22).
             */
            email: string | null;
            event: components["schemas"]["RecipientEvent"];
            money: components["schemas"]["Money"];
            /** @description Null for an open seat that nobody has claimed (G29). */
            name: string | null;
            recipient_id: components["schemas"]["Id"];
            /**
             * Format: date
             * @description The day of the request. Null if it named none.
             */
            ship_on: string | null;
            shipment: components["schemas"]["Shipment"];
            status: components["schemas"]["RecipientStatus"];
            status_label: string;
        };
        RecipientCreated: {
            claim: components["schemas"]["Claim"];
            /**
             * @description Null for an open seat that nobody has claimed, and for a recipient whose address was given without an email
             *     (B22).
             */
            email: string | null;
            /** @description Null for an open seat that nobody has claimed (G29). */
            name: string | null;
            recipient_id: components["schemas"]["Id"];
            shipment: components["schemas"]["ShipmentCreated"];
            status: components["schemas"]["RecipientStatus"];
            /** @description The status as an English phrase. */
            status_label: string;
        };
        RecipientEvent: {
            /**
             * @description True if delivered by the event date (UTC), false if delivered later or not delivered by then. Null before
             *     that, and without an event (B32).
             */
            on_time: boolean | null;
        };
        /**
         * @description Without an address: `name` and `email`. With one: `name` and an address that is valid in its country (B40);
         *     `email` is then optional (B22), and `quantity` and `ship_on` are allowed. Without an address these two are
         *     ignored like unknown members (G35). `address: null` means no address (G19).
         */
        RecipientRequest: {
            address?: components["schemas"]["AddressRequest"];
            company?: string;
            /**
             * Format: email
             * @description Blanks at either end are ignored.
             */
            email?: string;
            /** @description Replaces the order's message for this recipient. */
            gift_message?: string;
            /** @description Not blank. */
            name: string;
        };
        /**
         * @description All names except awaiting, submitted and shipped are a simulator decision (B23).
         * @enum {string}
         */
        RecipientStatus: "awaiting" | "submitted" | "in_production" | "labeled" | "shipped" | "delivered" | "delayed" | "rejected" | "expired" | "canceled";
        Refund: {
            card_cents: components["schemas"]["Cents"];
            total_cents: components["schemas"]["Cents"];
            wallet_cents: components["schemas"]["Cents"];
        };
        RowError: {
            errors: components["schemas"]["FieldError"][];
            recipient_index: number;
        };
        /** @description Every invalid recipient by its position in the request, from 0 (B51). */
        RowErrors: {
            error: components["schemas"]["Problem"];
            errors: components["schemas"]["RowError"][];
        };
        Settlement: {
            new_cash_balance_cents: number;
            /**
             * @constant
             * @enum {boolean}
             */
            ok: true;
            payment_transaction_id: string;
            settled_cents: number;
        };
        SettleRequest: {
            /** @description Default: the whole balance. A higher amount is refused (G35). */
            amount_cents?: number;
            idempotency_key?: string;
        };
        Shipment: {
            awaiting_address: boolean;
            /** @description Null until known. */
            carrier: string | null;
            delivered_at: components["schemas"]["InstantOrNull"];
            external_id: string;
            order_id: components["schemas"]["Id"];
            shipped_at: components["schemas"]["InstantOrNull"];
            status: components["schemas"]["RecipientStatus"];
            /** @description Null until the parcel has a label. */
            tracking_number: string | null;
            /**
             * Format: uri
             * @description Null until the parcel has a label.
             */
            tracking_url: string | null;
        };
        ShipmentCreated: {
            awaiting_address: boolean;
            external_id: string;
            order_id: components["schemas"]["Id"];
            status: components["schemas"]["RecipientStatus"];
            /** @description Null until the parcel has a label. */
            tracking_number: string | null;
        };
        ShippedDelivery: {
            created_at: components["schemas"]["Instant"];
            data: {
                shipment?: {
                    carrier?: string;
                    shipped_at?: string;
                    tracking_number?: string;
                };
            } & components["schemas"]["TeamOrderFact"];
            /** @description The event id, the same for all attempts. Deduplicate by it. */
            id: string;
            /** @constant */
            type: "team_order.shipped";
        };
        /** @description An order placed elsewhere, not by this interface (B37). */
        SingleOrder: {
            external_id: string;
            id: components["schemas"]["Id"];
        };
        SkippedRecipient: {
            external_id: string;
            order_id: components["schemas"]["Id"];
            reason: string;
            recipient_id: components["schemas"]["Id"];
        };
        SubjectOrder: {
            id: components["schemas"]["Id"];
            name: string | null;
            recipient_count: number;
            reference: string | null;
        };
        SubjectRecipient: {
            /**
             * @description Null for an open seat that nobody has claimed, and for a recipient whose address was given without an email
             *     (B22).
             */
            email: string | null;
            /** @description Equal to `recipient_id` in responses. */
            id: components["schemas"]["Id"];
            /** @description Null for an open seat that nobody has claimed (G29). */
            name: string | null;
            /** @description The recipient's choices on the claim page: option ids by variation id. Null without a choice. */
            selection: {
                [key: string]: number;
            } | null;
        };
        SubjectShipment: {
            carrier: string | null;
            country: string | null;
            /** @description Null until delivery. */
            delivered_at: components["schemas"]["InstantOrNull"];
            external_id: string;
            order_id: components["schemas"]["Id"];
            shipped_at: components["schemas"]["InstantOrNull"];
            status: components["schemas"]["RecipientStatus"];
            tracking_number: string | null;
            /** Format: uri */
            tracking_url: string | null;
        };
        /**
         * @description The number of recipients by status. Besides `total`, each recipient is counted once (G31). The names `expired`
         *     and `canceled` are the simulator's (B31).
         */
        Summary: {
            awaiting_address: components["schemas"]["Count"];
            canceled: components["schemas"]["Count"];
            claimed: components["schemas"]["Count"];
            delivered: components["schemas"]["Count"];
            expired: components["schemas"]["Count"];
            shipped: components["schemas"]["Count"];
            total: components["schemas"]["Count"];
        };
        TeamOrder: {
            /** @description `claim_links` for orders with claim links, `addresses` (by setting, B21) for orders with addresses. */
            address_mode: string;
            /**
             * @description When the last of its links expires, also of those sent again (G33). Null for orders with addresses (B19), and
             *     until the order is paid (G32).
             */
            claim_expires_at: components["schemas"]["InstantOrNull"];
            /** @description For orders with addresses, the countries of these addresses (G34). */
            destination_countries: components["schemas"]["Country"][];
            /** @description Null without an event. */
            event: components["schemas"]["OrderEvent"] | null;
            id: components["schemas"]["Id"];
            name: string | null;
            po_number: string | null;
            printed_card: boolean;
            quote_number: string;
            /** @description All recipients, including open seats (G29). */
            recipient_count: number;
            reference: string | null;
            /**
             * Format: uri
             * @description The link for the open seats. Only if claim links were requested and there are open seats (B50).
             */
            shared_claim_link?: string;
            status: components["schemas"]["TeamOrderStatus"];
            summary: components["schemas"]["Summary"];
            totals: components["schemas"]["Totals"];
        };
        TeamOrderCreated: {
            billing: components["schemas"]["Billing"];
            /** @description In the order of the request, followed by open seats (G29). */
            recipients: components["schemas"]["RecipientCreated"][];
            team_order: components["schemas"]["TeamOrder"];
            totals: components["schemas"]["ChargedTotals"];
        };
        TeamOrderDetail: {
            recipients: components["schemas"]["Recipient"][];
            team_order: components["schemas"]["TeamOrder"];
        };
        TeamOrderFact: {
            /** @description When it happened, not when it was sent. */
            occurred_at: components["schemas"]["Instant"];
            recipient: components["schemas"]["SubjectRecipient"];
            shipment: components["schemas"]["SubjectShipment"];
            team_order: components["schemas"]["SubjectOrder"];
        };
        TeamOrderList: {
            limit: number;
            offset: components["schemas"]["Count"];
            team_orders: components["schemas"]["TeamOrderRow"][];
            /** @description The number of all orders that match the filter. */
            total: components["schemas"]["Count"];
        };
        TeamOrderRequest: {
            /** @description Puts a printed 5x7 card in every parcel. Without any text there is no card (G182). */
            card?: {
                message?: string;
                sender?: string;
            };
            /**
             * @description Days until claim links expire (B19), counted from the payment (G32).
             * @default 30
             */
            claim_expiry_days?: number;
            /** @description Where recipients with claim links may live. Default `[US]`. Not used for orders with addresses (G34). */
            destination_countries?: components["schemas"]["Country"][];
            event?: components["schemas"]["EventRequest"];
            gift_message?: string;
            /** @description Missing or blank gets `gift_sender_required` (B9). */
            gift_sender?: string;
            /**
             * @description Chosen by you, one per order. It never expires and belongs to the account, whichever of its API keys you use
             *     (B5).
             */
            idempotency_key: string;
            /** @description The bundle. Every recipient receives all of it. More than 10 items get `invalid_body` (B34). */
            items: components["schemas"]["ItemRequest"][];
            name?: string;
            /**
             * @description Adds seats behind a shared claim link, charged at creation. With addresses, a value above 0 gets
             *     `invalid_body` (B18). A seat is a recipient: `recipients` and `open_seats` together are at most 100.
             * @default 0
             */
            open_seats?: number;
            /** @description Returned on every read and in the manifest. */
            po_number?: string;
            /**
             * @description Either all have an address or none has (`mixed_address_modes`). More than 100, or a row that is not an
             *     object, get `invalid_body` (B34, G35).
             */
            recipients: components["schemas"]["RecipientRequest"][];
            /** @description Returned on every read and in the manifest. */
            reference?: string;
            /**
             * @description Claim links are returned only when true.
             * @default false
             */
            return_claim_links?: boolean;
        };
        /** @description A team order in a list, which never shows a claim link. */
        TeamOrderRow: {
            shared_claim_link?: unknown;
        } & components["schemas"]["TeamOrder"];
        /**
         * @description The rule that derives it from the recipients' statuses is a simulator decision (G30, G359).
         * @enum {string}
         */
        TeamOrderStatus: "unpaid" | "collecting_addresses" | "in_progress" | "shipped" | "delivered" | "canceled";
        /** @description Takes no members. */
        TestRequest: Record<string, never>;
        TestResult: {
            event_id: string;
            /** @description Whether the endpoint responded with 2xx in time. */
            ok: boolean;
            /** @description The endpoint's status code. Null without a response. */
            status_code: number | null;
        };
        Totals: {
            event_fees_cents: components["schemas"]["Cents"];
            shipping_cents: components["schemas"]["Cents"];
            subtotal_cents: components["schemas"]["Cents"];
            total_cents: components["schemas"]["Cents"];
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: {
        /** @description The name to save the file under. */
        "Content-Disposition": string;
        /** @description `true` on a replay of a stored response, otherwise absent (G14). */
        "Idempotent-Replayed": "true";
        /** @description Seconds to wait before retrying. */
        "Retry-After": number;
        /** @description Sent with every 401. */
        "WWW-Authenticate": "Bearer realm=\"partner\"";
        /** @description Calls that the key may make in one window (B36). */
        "X-RateLimit-Limit": number;
        /** @description Calls left in this window (B36). */
        "X-RateLimit-Remaining": number;
        /** @description When the window ends, in Unix seconds of the world's clock (B36). */
        "X-RateLimit-Reset": number;
        /** @description The id of the call. A replay has a new one. */
        "X-Request-Id": string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    settleBalance: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["SettleRequest"];
            };
        };
        responses: {
            /** @description The amount is settled. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Settlement"];
                };
            };
            /** @description Fix the request. Nothing was changed. */
            400: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is missing or invalid. */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The card was declined or there is none. Nothing was settled. */
            402: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is not bound to an account, or lacks the capability `team_orders`. */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The operation is switched off. */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is nothing to settle, or the key was used with another body or has an unknown outcome. */
            409: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key's rate limit is exceeded. Honor `Retry-After`. */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The service failed. Nothing was created or charged. */
            500: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Retry shortly with the same key. Nothing was created or charged. */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listTeamOrders: {
        parameters: {
            query?: {
                /** @description The maximum number of rows (B1). */
                limit?: number;
                /** @description The number of newest rows to skip. */
                offset?: number;
                /** @description Only orders with this status. */
                status?: "unpaid" | "collecting_addresses" | "in_progress" | "shipped" | "delivered" | "canceled";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The account's orders. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TeamOrderList"];
                };
            };
            /** @description A parameter is out of its bounds or of the wrong type (B1). */
            400: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is missing or invalid. */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is not bound to an account, or lacks the capability `team_orders`. */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key's rate limit is exceeded. Honor `Retry-After`. */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The service failed. Nothing was created or charged. */
            500: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many calls are waiting (G17). Retry shortly. */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createTeamOrder: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TeamOrderRequest"];
            };
        };
        responses: {
            /** @description The order with this `idempotency_key` was canceled before it was paid. Nothing is charged (B6). */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TeamOrderCreated"];
                };
            };
            /** @description The team order is created and paid. */
            201: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TeamOrderCreated"];
                };
            };
            /** @description Fix the request. Nothing was created or charged. */
            400: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is missing or invalid. */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description The team order exists unpaid, with its id in `team_order_id`. Fund the account and retry with the same
             *     `idempotency_key`, or cancel the order.
             */
            402: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChargeError"];
                };
            };
            /** @description The key is not bound to an account, or lacks the capability `team_orders`. */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description An item's id or code does not exist on the account. Nothing was created. */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description The key was used with a different body, its earlier attempt is in flight or has an unknown outcome, or an
             *     item's personalization needs a review.
             */
            409: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `errors` has one entry for each invalid recipient. Nothing was created. */
            422: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RowErrors"];
                };
            };
            /** @description The key's rate limit is exceeded. Honor `Retry-After`. */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The service failed. Nothing was created or charged. */
            500: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Retry shortly with the same key. Nothing was created or charged. */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getTeamOrder: {
        parameters: {
            query?: {
                /** @description Names, with commas between them. `claim_links` adds the claim links; others are ignored (G361). */
                include?: string;
            };
            header?: never;
            path: {
                /** @description The team order's `id`. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The team order. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TeamOrderDetail"];
                };
            };
            /** @description The parameter is given twice, or is longer than 10,000 characters. */
            400: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is missing or invalid. */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is not bound to an account, or lacks the capability `team_orders`. */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The account has no such team order. */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key's rate limit is exceeded. Honor `Retry-After`. */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The service failed. Nothing was created or charged. */
            500: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many calls are waiting (G17). Retry shortly. */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    cancelTeamOrder: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The team order's `id`. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CancelRequest"];
            };
        };
        responses: {
            /** @description At least one recipient was canceled. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Cancellation"];
                };
            };
            /** @description Fix the request. Nothing was changed. */
            400: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is missing or invalid. */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is not bound to an account, or lacks the capability `team_orders`. */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The account has no such team order, or the order has no such recipient. */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Nothing could be canceled, or the outcome of the order's charge is unknown. Nothing was changed. */
            409: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CancelError"];
                };
            };
            /** @description The key's rate limit is exceeded. Honor `Retry-After`. */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The service failed. Nothing was created or charged. */
            500: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many calls are waiting (G17). Retry shortly. */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getTeamOrderManifest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The team order's `id`. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The manifest. */
            200: {
                headers: {
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            /** @description The key is missing or invalid. */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is not bound to an account, or lacks the capability `team_orders`. */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The account has no such team order. */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key's rate limit is exceeded. Honor `Retry-After`. */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The service failed. Nothing was created or charged. */
            500: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many calls are waiting (G17). Retry shortly. */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listWebhooks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The endpoints. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EndpointList"];
                };
            };
            /** @description The key is missing or invalid. */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is not bound to an account, or lacks the capability `team_orders`. */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key's rate limit is exceeded. Honor `Retry-After`. */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The service failed. Nothing was created or charged. */
            500: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many calls are waiting (G17). Retry shortly. */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EndpointRequest"];
            };
        };
        responses: {
            /** @description The endpoint with its secret, which is shown only once. */
            201: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EndpointCreated"];
                };
            };
            /** @description Fix the request. No endpoint was created. */
            400: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is missing or invalid. */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is not bound to an account, or lacks the capability `team_orders`. */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key already has 10 endpoints. Disable one first. */
            409: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key's rate limit is exceeded. Honor `Retry-After`. */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The service failed. Nothing was created or charged. */
            500: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The environment has no signing key (B30). Retry shortly. */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The endpoint's `id`. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The endpoint. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EndpointDetail"];
                };
            };
            /** @description The key is missing or invalid. */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is not bound to an account, or lacks the capability `team_orders`. */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The account has no such endpoint. */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key's rate limit is exceeded. Honor `Retry-After`. */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The service failed. Nothing was created or charged. */
            500: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many calls are waiting (G17). Retry shortly. */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    disableWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The endpoint's `id`. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The endpoint is disabled. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EndpointDisabled"];
                };
            };
            /** @description The key is missing or invalid. */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is not bound to an account, or lacks the capability `team_orders`. */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The account has no such endpoint. */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key's rate limit is exceeded. Honor `Retry-After`. */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The service failed. Nothing was created or charged. */
            500: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many calls are waiting (G17). Retry shortly. */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    testWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The endpoint's `id`. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["TestRequest"];
            };
        };
        responses: {
            /** @description The ping was sent, whatever the result. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TestResult"];
                };
            };
            /** @description Fix the request. Nothing was changed. */
            400: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is missing or invalid. */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is not bound to an account, or lacks the capability `team_orders`. */
            403: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The account has no such endpoint. */
            404: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key's rate limit is exceeded. Honor `Retry-After`. */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The service failed. Nothing was created or charged. */
            500: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The environment has no signing key (B30). Retry shortly. */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    orderDelivered: {
        parameters: {
            query?: never;
            header: {
                /** @description The event type, equal to the body's `type`. */
                "X-Service-Event": string;
                /** @description The event's id, equal to the body's `id`. */
                "X-Service-Event-Id": string;
                /**
                 * @description `v1` is the hex HMAC-SHA256 of `<t>.<raw body>` with the endpoint's whole secret (B43). `t` is the time of
                 *     this attempt in Unix seconds. Compare in constant time, and accept timestamps within 300 seconds.
                 */
                "X-Service-Signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OrderDeliveredDelivery"];
            };
        };
        responses: {
            /** @description Received. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Any other response is retried on the schedule. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    orderShipped: {
        parameters: {
            query?: never;
            header: {
                /** @description The event type, equal to the body's `type`. */
                "X-Service-Event": string;
                /** @description The event's id, equal to the body's `id`. */
                "X-Service-Event-Id": string;
                /**
                 * @description `v1` is the hex HMAC-SHA256 of `<t>.<raw body>` with the endpoint's whole secret (B43). `t` is the time of
                 *     this attempt in Unix seconds. Compare in constant time, and accept timestamps within 300 seconds.
                 */
                "X-Service-Signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OrderShippedDelivery"];
            };
        };
        responses: {
            /** @description Received. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Any other response is retried on the schedule. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    ping: {
        parameters: {
            query?: never;
            header: {
                /** @description The event type, equal to the body's `type`. */
                "X-Service-Event": string;
                /** @description The event's id, equal to the body's `id`. */
                "X-Service-Event-Id": string;
                /**
                 * @description `v1` is the hex HMAC-SHA256 of `<t>.<raw body>` with the endpoint's whole secret (B43). `t` is the time of
                 *     this attempt in Unix seconds. Compare in constant time, and accept timestamps within 300 seconds.
                 */
                "X-Service-Signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PingDelivery"];
            };
        };
        responses: {
            /** @description Received. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Any other response is retried on the schedule. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    teamOrderClaimed: {
        parameters: {
            query?: never;
            header: {
                /** @description The event type, equal to the body's `type`. */
                "X-Service-Event": string;
                /** @description The event's id, equal to the body's `id`. */
                "X-Service-Event-Id": string;
                /**
                 * @description `v1` is the hex HMAC-SHA256 of `<t>.<raw body>` with the endpoint's whole secret (B43). `t` is the time of
                 *     this attempt in Unix seconds. Compare in constant time, and accept timestamps within 300 seconds.
                 */
                "X-Service-Signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ClaimedDelivery"];
            };
        };
        responses: {
            /** @description Received. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Any other response is retried on the schedule. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    teamOrderDelivered: {
        parameters: {
            query?: never;
            header: {
                /** @description The event type, equal to the body's `type`. */
                "X-Service-Event": string;
                /** @description The event's id, equal to the body's `id`. */
                "X-Service-Event-Id": string;
                /**
                 * @description `v1` is the hex HMAC-SHA256 of `<t>.<raw body>` with the endpoint's whole secret (B43). `t` is the time of
                 *     this attempt in Unix seconds. Compare in constant time, and accept timestamps within 300 seconds.
                 */
                "X-Service-Signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DeliveredDelivery"];
            };
        };
        responses: {
            /** @description Received. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Any other response is retried on the schedule. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    teamOrderNeedsAttention: {
        parameters: {
            query?: never;
            header: {
                /** @description The event type, equal to the body's `type`. */
                "X-Service-Event": string;
                /** @description The event's id, equal to the body's `id`. */
                "X-Service-Event-Id": string;
                /**
                 * @description `v1` is the hex HMAC-SHA256 of `<t>.<raw body>` with the endpoint's whole secret (B43). `t` is the time of
                 *     this attempt in Unix seconds. Compare in constant time, and accept timestamps within 300 seconds.
                 */
                "X-Service-Signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AttentionDelivery"];
            };
        };
        responses: {
            /** @description Received. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Any other response is retried on the schedule. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    teamOrderShipped: {
        parameters: {
            query?: never;
            header: {
                /** @description The event type, equal to the body's `type`. */
                "X-Service-Event": string;
                /** @description The event's id, equal to the body's `id`. */
                "X-Service-Event-Id": string;
                /**
                 * @description `v1` is the hex HMAC-SHA256 of `<t>.<raw body>` with the endpoint's whole secret (B43). `t` is the time of
                 *     this attempt in Unix seconds. Compare in constant time, and accept timestamps within 300 seconds.
                 */
                "X-Service-Signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ShippedDelivery"];
            };
        };
        responses: {
            /** @description Received. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Any other response is retried on the schedule. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
