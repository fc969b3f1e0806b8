/** The team contract as types. Generated: `npm run generate` renews this file. */

export interface paths {
    "/approvals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List approval requests */
        get: operations["listApprovals"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/approvals/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read an approval request */
        get: operations["getApproval"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/artwork": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List artwork
         * @description Needs `artwork:write`. There is no scope only for reading artwork.
         */
        get: operations["listArtwork"];
        put?: never;
        /**
         * Register an image by its URL
         * @description The URL must be public https and point to an image. The simulator downloads nothing. It takes the type from the
         *     control API's table of files, otherwise from the extension. A URL without an extension is accepted; one whose
         *     extension is not an image's gets 422 (A7.20, G38).
         */
        post: operations["createArtwork"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/artwork/previews": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start rendering artwork on a product
         * @description The preview is pending until it is rendered, by default 5 seconds later on the world's clock (A1.9). An unknown
         *     product, print area or artwork gets 422.
         */
        post: operations["createPreview"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/billing/balance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the team's balance
         * @description A test key sees a fixed sandbox balance that never changes (A5.7).
         */
        get: operations["getBalance"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/billing/profile": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Replace the billing configuration
         * @description Replaces the whole configuration: members left out are removed. The email is stored and never returned (A7.19).
         */
        put: operations["replaceBillingProfile"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/collections": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List collections */
        get: operations["listCollections"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/collections/{slug}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a collection */
        get: operations["getCollection"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/contacts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search the contacts of connected CRMs
         * @description Matches names and companies. Returns up to 50 without `limit`, always on one page (A7.11), ordered by name
         *     (simulator decision). If a provider has an outage, a search of that provider gets 503 `provider_unavailable`,
         *     and a search of all providers leaves it out, and says so in `unavailable_providers` (A8.5, G371).
         */
        get: operations["searchContacts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/cost-centers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List cost centers */
        get: operations["listCostCenters"];
        put?: never;
        /**
         * Create a cost center
         * @description A code that another cost center of the team has gets 422 (simulator decision).
         */
        post: operations["createCostCenter"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/credit-terms": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read the team's credit terms */
        get: operations["getCreditTerms"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/deposit-invoices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Request a deposit invoice
         * @description For the team's balance, or for an order with `campaign_id`. It is paid when a control call says that the money
         *     has arrived. `GET /invoices` lists it.
         */
        post: operations["createDepositInvoice"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/funding": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Fund an order
         * @description `net_terms` pays an unpaid order on the team's credit terms at once. It needs the additional scope `orders:pay`
         *     (403), a live key with both ceilings, and an order created with the same key, else 422 `payment_not_permitted`.
         *     Prices, proofs and terms are checked again first. `bank_transfer` creates a deposit invoice for the order's
         *     total; the order stays unpaid until the money arrives. `us_bank_account` creates an ACH intent if ACH is
         *     enabled, and confirms nothing (A5.10). A paid, canceled or rejected order gets 409, and an unknown one 422
         *     (simulator decision).
         */
        post: operations["createFunding"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/gifts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List gift sends */
        get: operations["listGifts"];
        put?: never;
        /**
         * Prepare a gift send
         * @description The gift send is held for a person's approval, which is requested automatically (0.4). Until then nothing is
         *     sent or mailed. CRM references are looked up within the team. An unknown reference, person, slug or product gets
         *     422 and creates nothing. While a CRM provider that is needed has an outage, the response is 503 (A8.5).
         *
         *     An approved send mails each recipient a claim link (A8.9); a test key's send never does. The approval pays from
         *     the team's balance or terms, like approvals of orders (A1.2). A send that cannot be paid stays
         *     `awaiting_approval` until it is approved again. With the setting `approvals.pay_on_approve` off it is sent
         *     unpaid (simulator decision). Recipients claim in the countries of the setting `partner.destination_countries`,
         *     or in their country in the roster (simulator decision).
         */
        post: operations["sendGift"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/gifts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a gift send */
        get: operations["getGift"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/gifts/{id}/timeline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the history of a gift send
         * @description Oldest first, on a single page (A8.1).
         */
        get: operations["getGiftTimeline"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/invoices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List invoices
         * @description Invoices for purchases on terms and for requested deposits (A5.11).
         */
        get: operations["listInvoices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/invoices/{id}.pdf": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read an invoice as PDF */
        get: operations["getInvoicePdf"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/items": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List single items */
        get: operations["listItems"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/items/{slug}/options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List an item's options
         * @description Returns all options on one page (A8.1). Empty for an item without options.
         */
        get: operations["listItemOptions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the team's keys
         * @description Live and test keys that are not revoked, newest first on a single page (simulator decision).
         */
        get: operations["listKeys"];
        put?: never;
        /**
         * Create a key
         * @description The key works at once. Its text is shown only here. Only live keys may have `orders:pay` (a test key gets 422),
         *     and without both ceilings a key with that scope can pay nothing (A4.4).
         */
        post: operations["createKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke a key
         * @description The key's next call gets 401. Revoking it again gets 404 (simulator decision).
         */
        delete: operations["revokeKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/large-campaigns": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a large campaign
         * @description The campaign starts as `preparing`, divided into batches (of 500, by setting). Each `process` call prepares one
         *     batch (A1.7). An unknown collection or person gets 422 and creates nothing.
         *
         *     With `payment_method: net_terms` the batches are paid on the team's credit terms. This needs the additional
         *     scopes `billing:write` and `orders:pay`, of the key that creates the campaign and of the key that pays a batch,
         *     which must be the same key (G56).
         */
        post: operations["createLargeCampaign"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/large-campaigns/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a large campaign with its batches and recipients
         * @description Lists the recipients of the batches that are prepared, in the order of the request. `counts` has the number of
         *     recipients in each status (simulator decisions, G66). The webhook events of a paid batch are those of gifts.
         */
        get: operations["getLargeCampaign"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Pause, resume or reprice a large campaign
         * @description `pause` stops the preparation until `resume`, which restores the earlier state. `reprice` does the same as in
         *     `process` (0.8). An action that the state does not allow, such as `pause` on a stopped or completed campaign,
         *     gets 409.
         */
        patch: operations["updateLargeCampaign"];
        trace?: never;
    };
    "/large-campaigns/{id}/process": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Prepare, reprice or pay the next batch, or stop the campaign
         * @description Without an action, the call prepares the next batch. When the last batch is prepared, the campaign is
         *     `awaiting_approval` and approval is requested. The approval itself pays nothing. Afterwards each call pays and
         *     releases the whole next prepared batch, from the balance or on terms, within the key's ceilings. A key that may
         *     not pay gets 422, and nothing changes (A8.8). A batch on terms is paid only by the key that created the campaign,
         *     and while it has the scopes `billing:write` and `orders:pay`, else 403 (G56). The last payment completes the
         *     campaign, and a rejection stops it (simulator decision). A later call retries a batch whose payment failed.
         *
         *     `reprice` updates the prices of one unpaid batch; a new Idempotency-Key reprices the next one. It cancels the
         *     earlier approval, and after the last batch the campaign is `awaiting_approval` again. Paid batches keep their
         *     totals. `stop` ends the campaign: unpaid batches are dropped, and paid ones continue (A1.8). A campaign that is
         *     paused, stopped, completed or awaiting approval gets 409 for an action that does not fit its state.
         */
        post: operations["processLargeCampaign"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the team's members
         * @description Users who can sign in. Test keys see the same members as live keys (G36). Members are not the roster, so the
         *     scope is sufficient (A4.6).
         */
        get: operations["listMembers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/people": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the roster
         * @description A test key's roster is empty at first (G36).
         */
        get: operations["listPeople"];
        put?: never;
        /**
         * Create or update people by work email
         * @description A row whose `work_email` is in the roster updates that person and keeps the id. Case and surrounding spaces of
         *     the email are ignored. One invalid row refuses the whole call, and `details` names every invalid row by its
         *     index (A7.8). If two rows have the same email, the later one wins (G376). Fields managed by a
         *     provider keep the provider's value and are listed in `ignored_fields` (A7.7). A key that may not read the roster
         *     gets the ids and the members that it sent (G60).
         */
        post: operations["upsertPeople"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/people/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a person from the roster
         * @description Gifts already sent stay as they are. Removing the person again gets 404.
         */
        delete: operations["deletePerson"];
        options?: never;
        head?: never;
        /**
         * Change some fields of a person
         * @description Fields left out stay unchanged, and null clears one. Fields managed by a provider keep the provider's value and
         *     are listed in `ignored_fields` (A7.7). Another person's `work_email` gets 422. A key that may not read the
         *     roster gets the id and the members that it sent (G60).
         */
        patch: operations["updatePerson"];
        trace?: never;
    };
    "/people/upcoming": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List people with an upcoming birthday or work anniversary
         * @description Within 30 days of the clock, in Los Angeles days and including today. In other years 29 February counts as 28
         *     February (A7.10). Soonest first, on a single page (simulator decision).
         */
        get: operations["listUpcomingPeople"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/previews/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a preview
         * @description Poll until it is `ready` or `failed`. Needs `artwork:write`.
         */
        get: operations["getPreview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/print-areas": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the print areas of a product
         * @description Returns all areas on one page (A8.1). Empty for a product that cannot be printed on. An unknown product gets 404
         *     (simulator decision).
         */
        get: operations["listPrintAreas"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/proofs/{id}/review": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Review the current version of a proof
         * @description `approve` makes the proof ready to sign, and `request_changes` asks for another version. A proof that is not in
         *     review gets 409 (A1.4).
         */
        post: operations["reviewProof"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/proofs/{id}/sign": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign the current version of a proof
         * @description Needs the signed-in session of an approver or owner, never a key. A version other than the current one gets 409
         *     `proof_version_stale`, and a proof that is not ready to sign gets 409 `invalid_state`. The Idempotency-Key
         *     belongs to the user (G38).
         */
        post: operations["signProof"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/proofs/{id}/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add a version to an order item's proof
         * @description The new version becomes the current one and goes to review. An earlier signature is no longer valid (A1.4). An
         *     item that needs no proof gets 404, an unknown artwork 422. An order that is paid, canceled or rejected and a large
         *     campaign that has ended get 409.
         */
        post: operations["addProofVersion"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/receipts/{id}.pdf": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a receipt as PDF
         * @description Created when something is paid (A5.11). Orders, gifts, batches and invoices show its id.
         */
        get: operations["getReceiptPdf"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/recipient-branding": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the recipient-facing branding
         * @description All members are null until they are set.
         */
        get: operations["getRecipientBranding"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change some of the branding
         * @description Members left out stay unchanged, and null clears one. An unknown artwork gets 422.
         */
        patch: operations["updateRecipientBranding"];
        trace?: never;
    };
    "/rules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List rules of one kind
         * @description Needs `rules:write`. There is no scope only for reading rules.
         */
        get: operations["listRules"];
        put?: never;
        /**
         * Create a rule
         * @description The kind is given in the query or the body. If both are given, they must be equal (D10). The trigger must belong
         *     to that kind (A7.12) and the products must exist, else 422. Active rules run automatically every day at 09:00 in
         *     Los Angeles (G37). Their gifts are held for approval, whatever the approval mode (A7.12).
         */
        post: operations["createRule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rules/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a rule of either kind */
        get: operations["getRule"];
        put?: never;
        post?: never;
        /**
         * Delete a rule
         * @description Gifts that it created stay. Deleting it again gets 404.
         */
        delete: operations["deleteRule"];
        options?: never;
        head?: never;
        /**
         * Change some fields of a rule
         * @description Fields left out stay unchanged. A `kind` other than the rule's own gets 422 (simulator decision).
         */
        patch: operations["updateRule"];
        trace?: never;
    };
    "/rules/{id}/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Preview what a rule would do now
         * @description Shows what `evaluate` would create for this rule now, whether it is active or not, without creating it. A rule
         *     of another kind than the query's gets 404.
         */
        get: operations["previewRule"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rules/evaluate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Evaluate the active rules of a kind now
         * @description Does the same as the daily run (G37): every rule that is due creates gift sends, which are held for approval and
         *     never paid. A rule creates one gift per person, occasion and year, so evaluating again creates no duplicates.
         *     With the setting `rules.dry_run` nothing is created (A7.17). The kind is given in the query or the body. Default
         *     `hr`.
         */
        post: operations["evaluateRules"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Move a test order or gift to a later state and deliver the event
         * @description For test keys only, and only for orders and gifts of the same key. Any other `resource_id` gets 422, like an
         *     unknown one (simulator decision). Steps may be skipped: a held order can go straight to `shipped`, without money
         *     or mail (A8.10). All recipients move together, and one call causes one event, however many steps it skips
         *     (simulator decision). An event type that does not fit the state gets 409 `invalid_state` (A6.9). Subscriptions
         *     of the same key receive the event, with `livemode` false.
         *
         *     The types `gift.*` take a test campaign too, whose batches are all prepared: the first one approves and completes
         *     it without money, and the event has its `campaign_id`. `proof.signed` signs the current version of a test order
         *     item's proof, which must be ready to sign; it sends no webhook event (simulator decisions, G67). An assistant
         *     has no tool for this operation: events approve and sign (A4.9).
         */
        post: operations["createSandboxEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/statements/{month}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the statement of a month
         * @description Months are those of Los Angeles. A malformed month gets 400 `invalid_parameter`. A future month, or one before
         *     the team's creation, gets 404. The current month is partial (A5.8).
         */
        get: operations["getStatement"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/store": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read the team's store */
        get: operations["getStore"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/store/orders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a store order
         * @description Creates a team order without a collection, held for a person's approval, which is requested automatically (0.4).
         *     The order is then also available at `/team-orders/{id}` (simulator decision). Without recipients it is for one
         *     seat, which is claimed by the link that is mailed to the person who approves (G61).
         */
        post: operations["createStoreOrder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/store/quote": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get the price of a store order without creating one
         * @description The items for every recipient (for one if none is given), plus shipping for each (simulator decision). A product
         *     that is not in the store gets 422.
         */
        post: operations["quoteStoreOrder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tax-certificates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Register a tax certificate by its URL
         * @description A public https URL of a PDF, PNG, JPEG or WebP file of at most 10 MB (10,485,760 bytes). The simulator downloads
         *     nothing: it takes type and size from the control API's table of files, otherwise the type from the extension
         *     (A7.20). The certificate is pending until a control call accepts or rejects it (A1.10).
         */
        post: operations["createTaxCertificate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/team": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the key's team
         * @description Any active key can read it, even one without scopes.
         */
        get: operations["getTeam"];
        put?: never;
        post?: never;
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
         * List team orders
         * @description Includes store orders (simulator decision).
         */
        get: operations["listTeamOrders"];
        put?: never;
        /**
         * Create a team order
         * @description The order is held for a person's approval: it stays `awaiting_approval` and `unpaid`, however much time passes.
         *     `request-approval` asks for the decision (0.4), unless the setting `approvals.auto_request` does so
         *     automatically.
         *
         *     With `payment_method: net_terms` the key pays at once on the team's credit terms. This needs the additional
         *     scopes `billing:write` and `orders:pay` (403) and a live key with both ceilings, and the amount must fit the
         *     ceilings and the terms (422). An order that cannot be paid is not created (A5.3). The role `approver` is not
         *     needed (A2.8). If a fault crashes the call after the charge, the payment is `uncertain` until a control call
         *     settles it (A8.7). Until then the same Idempotency-Key gets `idempotency_in_progress`. If the charge then turns
         *     out to have failed, the same key pays the same order again (simulator decisions).
         *
         *     Recipients claim in the `destination_countries`, which also set the price of shipping, as in a quote. Heads
         *     without a name share one link, which is mailed to the person who approved the order. No response contains the
         *     link. Each claim fills a seat (simulator decisions, G61).
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
        /** Read a team order */
        get: operations["getTeamOrder"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change an order's purchase order number or cost center
         * @description Only these two: items and recipients in the body are ignored. Allowed in every state except `canceled` and
         *     `rejected` (simulator decision). An unknown cost center gets 422.
         */
        patch: operations["updateTeamOrder"];
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
         * Cancel a team order
         * @description Possible until production starts, and after production has rejected every parcel that it started. Otherwise, for
         *     an order that is already canceled or rejected, and while the payment is uncertain, the response is 409
         *     `invalid_state` (A1.1). A pending approval is canceled as well. The whole payment is refunded: off the open
         *     invoice of a purchase on terms, else to the balance (G170). It still counts against the month's ceiling (A5.5).
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
         * @description A header and one row per recipient, in the order of the request, followed by the people who claimed a seat
         *     without a name. The columns are (A7.13): recipient_id, name, status, carrier, tracking_number, shipped_at,
         *     delivered_at, items, po_number, cost_center. Contains no email and no claim link. Cells that a spreadsheet would
         *     run as a formula are escaped.
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
    "/team-orders/{id}/proofs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the proofs of a campaign
         * @description Takes the campaign id: the `id` of an order (A7.2) or of a large campaign. An order item's id gets 404. Returns
         *     all proofs on one page, in the order of the items. Empty if no item needs a proof.
         */
        get: operations["listProofs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/team-orders/{id}/request-approval": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Request approval of a team order
         * @description Creates a pending approval, or returns the one that already exists (A1.3). If prices have changed, the order is
         *     repriced first and an earlier approval is superseded (simulator decision). An order that is canceled, rejected,
         *     in production or later, or approved and paid gets 409.
         */
        post: operations["requestApproval"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/team-orders/quote": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get the price of an order without creating one
         * @description Items times headcount, plus shipping for each head at the rate of the most expensive country (A5.1). The same
         *     request always gets the same price. An unknown collection gets 422.
         */
        post: operations["quoteTeamOrder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/templates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List templates */
        get: operations["listTemplates"];
        put?: never;
        /**
         * Create a template
         * @description The template gets revision 1. An unknown product gets 422.
         */
        post: operations["createTemplate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/templates/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a template */
        get: operations["getTemplate"];
        /**
         * Replace a template
         * @description Replaces the whole template: members left out are removed (A7.15). The revision increases by one, even if
         *     nothing changes (simulator decision). If `revision` is given, it must be the current one, else 409
         *     `revision_conflict`.
         */
        put: operations["replaceTemplate"];
        post?: never;
        /**
         * Delete a template
         * @description The body must contain the current revision, else the response is 409 `revision_conflict` and the template stays.
         *     Deleting it again gets 404.
         */
        delete: operations["deleteTemplate"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/templates/{id}/use": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Create campaign input from a template
         * @description Orders nothing. The input is created from the current revision at each call and contains its number. With
         *     `recipients` added, it is a valid body of `POST /large-campaigns` and of `POST /team-orders`, whose record then
         *     has its `template_id` and `revision` (G63). `gift.items` of `POST /gifts` accepts its `setup.bundle_items`
         *     (simulator decision).
         */
        get: operations["useTemplate"];
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
        /** List subscriptions */
        get: operations["listWebhooks"];
        put?: never;
        /**
         * Subscribe a URL to events
         * @description The URL must be https on a public host, by the rules of B48. A URL that breaks a rule gets 422, and the message
         *     names the rule. Live subscriptions belong to the team and receive the events of all its live keys; subscriptions
         *     of a test key receive only that key's events. `secret` signs the deliveries. It is returned only here and in a
         *     replay of this call (A3.5); with the setting `redact_secret_on_replay` it is null in replays. To deliver to your
         *     own machine, keep a public host name here and forward it in the control API's receiver table (G27).
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
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a subscription
         * @description Unfinished deliveries are dropped, including retries (D16). Deleting it again gets 404.
         */
        delete: operations["deleteWebhook"];
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
         * Send a signed test delivery
         * @description Sends one delivery of type `webhook.test` to this subscription, after the response, without retries (A6.7, G21).
         *     A replay sends nothing.
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
    "approval.decided": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * An approval was decided
         * @description `status` is the decision: `approved`, `rejected`, or `canceled` if nobody decided before it expired. The event type is a simulator decision (A6.1).
         */
        post: operations["approvalDecided"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "approval.requested": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * An approval was requested
         * @description The event type is a simulator decision (A6.1).
         */
        post: operations["approvalRequested"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "balance.low": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The balance fell below the subscription's threshold
         * @description Sent when the settled live balance falls from at or above the threshold to below it (A6.6). Reservations do not
         *     count. Each subscription has its own threshold and gets its own event.
         */
        post: operations["balanceLow"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "gift.claimed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A recipient claimed a gift */
        post: operations["giftClaimed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "gift.delivered": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A recipient's gift was delivered */
        post: operations["giftDelivered"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "gift.sent": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A gift was sent
         * @description Sent at once (A6.3). If the response is not 2xx, or does not arrive within 10 seconds, the delivery is retried 8
         *     times: after 5 min, 15 min, 1 h, 3 h, 6 h, 12 h, 24 h and 48 h, each counted from the previous attempt. Then the
         *     delivery is dead. The event `id` is the same on every attempt, so deduplicate by it. There is one event for the
         *     whole send, with `recipient_id` null.
         */
        post: operations["giftSent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "gift.shipped": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A recipient's gift shipped */
        post: operations["giftShipped"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "invoice.issued": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * An invoice was issued
         * @description The event type is a simulator decision (A6.1).
         */
        post: operations["invoiceIssued"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "invoice.paid": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * An invoice was paid
         * @description The event type is a simulator decision (A6.1).
         */
        post: operations["invoicePaid"];
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
        /**
         * A team order was delivered
         * @description Sent once, when the order reaches `delivered`, which is when nothing of it is left to deliver (G178). The event
         *     type is defined in A6.1.
         */
        post: operations["teamOrderDelivered"];
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
        /**
         * A team order shipped
         * @description Sent once, when the order reaches `shipped`, which is when its first parcel ships (G178).
         */
        post: operations["teamOrderShipped"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "webhook.test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A test delivery, sent by `POST /webhooks/{id}/test`
         * @description Sent once, to that subscription only, and never retried (A6.7). Subscriptions cannot include it.
         */
        post: operations["webhookTest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        ApiKey: {
            created_at: components["schemas"]["Instant"];
            /** @description An integer for live and test keys alike (simulator decision). */
            id: number;
            last4: string;
            mode: components["schemas"]["Mode"];
            name: string;
            /** @description Null for a key without ceilings. */
            pay_limits: components["schemas"]["PayLimits"] | null;
            /** @enum {string} */
            prefix: "ptk_live_" | "ptk_test_";
            role: components["schemas"]["Role"];
            scopes: components["schemas"]["Scope"][];
        };
        ApiKeyCreated: {
            created_at: components["schemas"]["Instant"];
            /** @description An integer for live and test keys alike (simulator decision). */
            id: number;
            /** @description Shown only here. */
            key: string;
            mode: components["schemas"]["Mode"];
            name: string;
            /** @description Null for a key without ceilings. */
            pay_limits: components["schemas"]["PayLimits"] | null;
            /** @enum {string} */
            prefix: "ptk_live_" | "ptk_test_";
            role: components["schemas"]["Role"];
            scopes: components["schemas"]["Scope"][];
        };
        ApiKeyPage: {
            data: components["schemas"]["ApiKey"][];
            next_cursor: null;
        };
        ApiKeyRequest: {
            mode: components["schemas"]["Mode"];
            name: components["schemas"]["Name"];
            pay_limits?: components["schemas"]["PayLimitsRequest"] | null;
            role: components["schemas"]["Role"];
            /** @description May be empty. Such a key can only read `GET /team`. */
            scopes: components["schemas"]["Scope"][];
        };
        ApiKeyRevoked: {
            id: number;
            /**
             * @constant
             * @enum {boolean}
             */
            revoked: true;
        };
        Approval: {
            /** @description The amount that approving may cost. */
            amount_cents: components["schemas"]["Cents"];
            created_at: components["schemas"]["Instant"];
            currency: components["schemas"]["Currency"];
            /** @description When it was decided, or expired. */
            decided_at: components["schemas"]["InstantOrNull"];
            decision_note: string | null;
            /** @description Null unless the setting `approvals.expire_days` is set. */
            expires_at: components["schemas"]["InstantOrNull"];
            id: components["schemas"]["Id"];
            livemode: components["schemas"]["Livemode"];
            /** @description The note of the request. */
            note: string | null;
            /** @description The id of the record to approve. */
            resource_id: components["schemas"]["Id"];
            resource_type: components["schemas"]["ResourceType"];
            /**
             * @description The names are those of A1.2.
             * @enum {string}
             */
            status: "pending" | "approved" | "rejected" | "canceled" | "superseded";
        };
        ApprovalEvent: {
            created_at: components["schemas"]["Instant"];
            data: {
                approval_id: components["schemas"]["Id"];
                resource_id: components["schemas"]["Id"];
                resource_type: components["schemas"]["ResourceType"];
                /** @enum {string} */
                status: "pending" | "approved" | "rejected" | "canceled";
            };
            /** @description The event id, the same on every attempt. Deduplicate by it. */
            id: string;
            livemode: components["schemas"]["Livemode"];
            /** @enum {string} */
            type: "approval.requested" | "approval.decided";
        };
        ApprovalPage: {
            data: components["schemas"]["Approval"][];
            next_cursor: components["schemas"]["NextCursor"];
        };
        ApprovalRequest: {
            /** @description For the person who decides (simulator decision). */
            note?: components["schemas"]["Text"];
        };
        Artwork: {
            /** @description From the table of files or the extension. Null if neither gives a type (simulator decision). */
            content_type: string | null;
            created_at: components["schemas"]["Instant"];
            id: components["schemas"]["Id"];
            livemode: components["schemas"]["Livemode"];
            name: string;
            url: string;
        };
        ArtworkPage: {
            data: components["schemas"]["Artwork"][];
            next_cursor: components["schemas"]["NextCursor"];
        };
        ArtworkRequest: {
            name: components["schemas"]["Name"];
            url: components["schemas"]["Url"];
        };
        Balance: {
            /** @description The balance minus reserved amounts. */
            available_cents: number;
            /** @description The settled balance. `balance.low` depends on it. */
            balance_cents: number;
            currency: components["schemas"]["Currency"];
            livemode: components["schemas"]["Livemode"];
            reserved_cents: components["schemas"]["Cents"];
        };
        BalanceEvent: {
            created_at: components["schemas"]["Instant"];
            /** @description Read `GET /billing/balance` for the amounts. */
            data: {
                /** @constant */
                status: "below_threshold";
                team_id: number;
                /** @description The subscription whose threshold was crossed. */
                webhook_id: components["schemas"]["Id"];
            };
            /** @description The event id, the same on every attempt. Deduplicate by it. */
            id: string;
            livemode: components["schemas"]["Livemode"];
            /** @constant */
            type: "balance.low";
        };
        Batch: {
            invoice_id: components["schemas"]["IdOrNull"];
            number: number;
            paid_at: components["schemas"]["InstantOrNull"];
            payment_id: components["schemas"]["IdOrNull"];
            prepared_at: components["schemas"]["InstantOrNull"];
            receipt_id: components["schemas"]["IdOrNull"];
            recipient_count: number;
            repriced_at: components["schemas"]["InstantOrNull"];
            /**
             * @description The names are those of A1.7. A `dropped` batch was not paid when the campaign was stopped. The payment of an
             *     `uncertain` batch has no known outcome (simulator decision).
             * @enum {string}
             */
            status: "pending" | "prepared" | "paid" | "failed" | "uncertain" | "dropped";
            /** @description Null until the batch is prepared. */
            totals: components["schemas"]["Totals"] | null;
        };
        BillingAddress: {
            address1: string | null;
            address2: string | null;
            city: string | null;
            country: string | null;
            state: string | null;
            zip: string | null;
        };
        /** @description The members of A7.19 except the email. */
        BillingProfile: {
            address: components["schemas"]["BillingAddress"] | null;
            /** @description Whether an email is stored (simulator decision). */
            billing_email_set: boolean;
            legal_name: string | null;
            livemode: components["schemas"]["Livemode"];
            updated_at: components["schemas"]["Instant"];
        };
        BillingProfileRequest: {
            address?: {
                address1?: components["schemas"]["LineOrNull"];
                address2?: components["schemas"]["LineOrNull"];
                city?: components["schemas"]["LineOrNull"];
                country?: components["schemas"]["Country"] | null;
                state?: components["schemas"]["LineOrNull"];
                zip?: components["schemas"]["LineOrNull"];
            } | null;
            billing_email?: components["schemas"]["Email"] | null;
            legal_name?: components["schemas"]["LineOrNull"];
        };
        BundleItem: {
            item_slug: string;
            merchant_product_id: components["schemas"]["CatalogId"];
            quantity: number;
        };
        /** @description Exactly one of `item_slug` and `merchant_product_id` (A7.5). */
        BundleItemRequest: {
            item_slug?: components["schemas"]["Slug"];
            merchant_product_id?: components["schemas"]["CatalogId"];
            quantity?: components["schemas"]["Quantity"];
        };
        /**
         * @description `bundle` is used with `gift_choices` (A7.6). No other mode exists.
         * @enum {string}
         */
        BundleMode: "bundle";
        /**
         * @description `bundle` is used with `gift_choices` (A7.6). No other mode exists; null means no mode.
         * @enum {string|null}
         */
        BundleModeOrNull: "bundle" | null;
        /** @description A menu names its items by id alone, as requests do. */
        CampaignInput: {
            budget_cents: number | null;
            gift_choices: components["schemas"]["InputChoices"];
            /** @enum {string|null} */
            mode: "bundle" | null;
            name: string;
            occasion: string | null;
            revision: components["schemas"]["Revision"];
            setup: {
                bundle_items: components["schemas"]["ProductQuantity"][];
                gift_choices?: components["schemas"]["InputChoices"];
            };
            template_id: components["schemas"]["Id"];
        };
        /** @description Either a name and email, or a person of the roster. */
        CampaignRecipientRequest: {
            email?: components["schemas"]["Email"];
            name?: components["schemas"]["Name"];
            person_id?: components["schemas"]["LiveOrTestId"];
        } & ({
            email?: unknown;
            name?: unknown;
        } | {
            person_id?: unknown;
        });
        CancelRequest: {
            reason?: components["schemas"]["Text"];
        };
        /** @description An integer for live and test keys alike (G36). */
        CatalogId: number;
        Cents: number;
        /** @description Each item appears once, and the price is the sum of their prices (simulator decision). */
        Collection: {
            id: components["schemas"]["CatalogId"];
            items: components["schemas"]["Item"][];
            name: string;
            price_cents: components["schemas"]["Cents"];
            slug: string;
        };
        CollectionPage: {
            data: components["schemas"]["Collection"][];
            next_cursor: components["schemas"]["NextCursor"];
        };
        /**
         * @description `POST /gifts` takes the first three members as `crm`. There is no email,
         *     and no `livemode` because both modes share the contacts (G36).
         */
        Contact: {
            company: string | null;
            display_name: string;
            /** @description The id in the CRM. For one that is an email address, another that `POST /gifts` takes too (G199). */
            id: string;
            object_type: string;
            provider: string;
            title: string | null;
        };
        ContactPage: {
            data: components["schemas"]["Contact"][];
            next_cursor: null;
            /**
             * @description The connected providers that this search left out because they have an outage (G371). Empty if it names a
             *     provider.
             */
            unavailable_providers: string[];
        };
        /** @description The team's connections determine the providers and object types (A7.12). */
        ContactReference: {
            id: string;
            object_type: string;
            provider: string;
        };
        CostCenter: {
            code: string;
            created_at: components["schemas"]["Instant"];
            id: components["schemas"]["Id"];
            livemode: components["schemas"]["Livemode"];
            name: string;
        };
        CostCenterPage: {
            data: components["schemas"]["CostCenter"][];
            next_cursor: components["schemas"]["NextCursor"];
        };
        CostCenterRequest: {
            code: components["schemas"]["Name"];
            name: components["schemas"]["Name"];
        };
        Count: number;
        /**
         * @description ISO 3166-1 alpha-2, in capitals.
         * @enum {string}
         */
        Country: "AD" | "AE" | "AF" | "AG" | "AI" | "AL" | "AM" | "AO" | "AQ" | "AR" | "AS" | "AT" | "AU" | "AW" | "AX" | "AZ" | "BA" | "BB" | "BD" | "BE" | "BF" | "BG" | "BH" | "BI" | "BJ" | "BL" | "BM" | "BN" | "BO" | "BQ" | "BR" | "BS" | "BT" | "BV" | "BW" | "BY" | "BZ" | "CA" | "CC" | "CD" | "CF" | "CG" | "CH" | "CI" | "CK" | "CL" | "CM" | "CN" | "CO" | "CR" | "CU" | "CV" | "CW" | "CX" | "CY" | "CZ" | "DE" | "DJ" | "DK" | "DM" | "DO" | "DZ" | "EC" | "EE" | "EG" | "EH" | "ER" | "ES" | "ET" | "FI" | "FJ" | "FK" | "FM" | "FO" | "FR" | "GA" | "GB" | "GD" | "GE" | "GF" | "GG" | "GH" | "GI" | "GL" | "GM" | "GN" | "GP" | "GQ" | "GR" | "GS" | "GT" | "GU" | "GW" | "GY" | "HK" | "HM" | "HN" | "HR" | "HT" | "HU" | "ID" | "IE" | "IL" | "IM" | "IN" | "IO" | "IQ" | "IR" | "IS" | "IT" | "JE" | "JM" | "JO" | "JP" | "KE" | "KG" | "KH" | "KI" | "KM" | "KN" | "KP" | "KR" | "KW" | "KY" | "KZ" | "LA" | "LB" | "LC" | "LI" | "LK" | "LR" | "LS" | "LT" | "LU" | "LV" | "LY" | "MA" | "MC" | "MD" | "ME" | "MF" | "MG" | "MH" | "MK" | "ML" | "MM" | "MN" | "MO" | "MP" | "MQ" | "MR" | "MS" | "MT" | "MU" | "MV" | "MW" | "MX" | "MY" | "MZ" | "NA" | "NC" | "NE" | "NF" | "NG" | "NI" | "NL" | "NO" | "NP" | "NR" | "NU" | "NZ" | "OM" | "PA" | "PE" | "PF" | "PG" | "PH" | "PK" | "PL" | "PM" | "PN" | "PR" | "PS" | "PT" | "PW" | "PY" | "QA" | "RE" | "RO" | "RS" | "RU" | "RW" | "SA" | "SB" | "SC" | "SD" | "SE" | "SG" | "SH" | "SI" | "SJ" | "SK" | "SL" | "SM" | "SN" | "SO" | "SR" | "SS" | "ST" | "SV" | "SX" | "SY" | "SZ" | "TC" | "TD" | "TF" | "TG" | "TH" | "TJ" | "TK" | "TL" | "TM" | "TN" | "TO" | "TR" | "TT" | "TV" | "TW" | "TZ" | "UA" | "UG" | "UM" | "US" | "UY" | "UZ" | "VA" | "VC" | "VE" | "VG" | "VI" | "VN" | "VU" | "WF" | "WS" | "YE" | "YT" | "ZA" | "ZM" | "ZW";
        /** @description The values of `status` are a simulator decision. */
        CreditTerms: {
            available_cents: components["schemas"]["Cents"];
            credit_limit_cents: components["schemas"]["Cents"];
            livemode: components["schemas"]["Livemode"];
            net_days: number;
            outstanding_cents: components["schemas"]["Cents"];
            /** @enum {string} */
            status: "none" | "active" | "suspended";
        };
        /** @constant */
        Currency: "USD";
        /** Format: date */
        DayOrNull: string | null;
        /** @description The record was deleted. */
        Deleted: {
            /**
             * @constant
             * @enum {boolean}
             */
            deleted: true;
            id: components["schemas"]["Id"];
            livemode: components["schemas"]["Livemode"];
        };
        DepositInvoice: {
            /** @constant */
            kind?: "deposit";
            /** @enum {unknown} */
            resource_type?: "team_order" | null;
        } & components["schemas"]["Invoice"];
        DepositInvoiceRequest: {
            amount_cents: number;
            /** @description The order's `campaign_id`. Left out for the balance. */
            campaign_id?: components["schemas"]["LiveOrTestIdOrNull"];
        };
        /**
         * @description A country to which parcels can be sent.
         * @enum {string}
         */
        Destination: "US" | "CA" | "GB" | "AU" | "DE" | "FR" | "NL" | "IT" | "ES";
        /** @description Default: the countries of the setting `partner.destination_countries` (simulator decision). */
        Destinations: components["schemas"]["Destination"][];
        Detail: {
            /**
             * @description The member, such as `birthday` within a row of `people`, or `recipients[0].email`. `body` for the whole
             *     body.
             */
            field: string;
            /** @description The row of `people`, from 0. Absent in other bodies (A8.2). */
            index?: number;
            message: string;
        };
        /** @description The error of a body. `details` names every invalid member and echoes no value (A8.6). */
        DetailedError: {
            error: {
                code: string;
                details?: components["schemas"]["Detail"][];
                message: string;
                /** @description Equal to the header `X-Request-Id`. */
                request_id: string;
            };
        };
        /** @description A gift send that is due. */
        DueSend: {
            amount_cents: components["schemas"]["Cents"];
            /** @description For a `crm` rule. Otherwise null. */
            crm: {
                id: string;
                object_type: string;
                provider: string;
            } | null;
            /**
             * Format: date
             * @description The day of the occasion, in Los Angeles.
             */
            date: string;
            display_name: string;
            /** @description For an `hr` rule. Otherwise null. */
            person_id: components["schemas"]["IdOrNull"];
            trigger_type: components["schemas"]["TriggerType"];
        };
        /**
         * Format: email
         * @description Stored and never returned. Blanks at either end are ignored.
         */
        Email: string;
        Error: {
            error: {
                code: string;
                message: string;
                /** @description Equal to the header `X-Request-Id`. */
                request_id: string;
            };
        };
        EvaluationRequest: {
            kind?: components["schemas"]["RuleKind"];
        };
        /**
         * @description Six types are documented. The others are defined in A6.1.
         * @enum {string}
         */
        EventKind: "gift.sent" | "gift.claimed" | "gift.shipped" | "gift.delivered" | "team_order.shipped" | "team_order.delivered" | "approval.requested" | "approval.decided" | "invoice.issued" | "invoice.paid" | "balance.low";
        /** @description A campaign with its recipients. */
        FollowedCampaign: {
            /** @description The latest approval. Null until the campaign is prepared for the first time. */
            approval_id: components["schemas"]["IdOrNull"];
            /** @description The batches in order. */
            batches: components["schemas"]["Batch"][];
            /** @description Null for a campaign with a `setup`. */
            collection: string | null;
            /**
             * @description The number of recipients in each status; they add up to `recipient_count`. A recipient is `pending` until the
             *     batch is prepared, `unpaid` until it is paid, and then has the statuses of a gift (simulator decision).
             */
            counts: {
                canceled: number;
                claimed: number;
                delivered: number;
                expired: number;
                pending: number;
                rejected: number;
                sent: number;
                shipped: number;
                unpaid: number;
            };
            created_at: components["schemas"]["Instant"];
            gift_choices: components["schemas"]["GiftChoices"];
            gift_message: string | null;
            id: components["schemas"]["Id"];
            /** @description The items of each recipient. Their ids name their proofs. */
            items?: components["schemas"]["TeamOrderItem"][];
            livemode: components["schemas"]["Livemode"];
            /** @enum {string|null} */
            mode: "bundle" | null;
            name: string | null;
            /** @enum {string|null} */
            payment_method: "net_terms" | null;
            recipient_count: number;
            /** @description The recipients of the prepared batches, in the order of the request. */
            recipients: components["schemas"]["FollowedRecipient"][];
            /** @description The revision of that template. */
            revision: number | null;
            /** @description The items of a campaign without a collection, or null. */
            setup: components["schemas"]["TemplateSetup"] | null;
            /**
             * @description `awaiting_approval` is documented. The other names are those of A1.7.
             * @enum {string}
             */
            status: "preparing" | "awaiting_approval" | "approved" | "completed" | "paused" | "stopped";
            /** @description The template that it was created from, or null (G63). */
            template_id: components["schemas"]["IdOrNull"];
            /** @description The totals of the prepared and paid batches. */
            totals: components["schemas"]["Totals"];
        };
        FollowedRecipient: {
            /** @description The number of the recipient's batch. */
            batch: number;
            carrier: string | null;
            delivered_at: components["schemas"]["InstantOrNull"];
            id: components["schemas"]["Id"];
            name: string;
            shipped_at: components["schemas"]["InstantOrNull"];
            /** @enum {string} */
            status: "unpaid" | "sent" | "claimed" | "shipped" | "delivered" | "rejected" | "expired" | "canceled";
            tracking_number: string | null;
        };
        Funding: {
            amount_cents: components["schemas"]["Cents"];
            campaign_id: components["schemas"]["Id"];
            created_at: components["schemas"]["Instant"];
            currency: components["schemas"]["Currency"];
            id: components["schemas"]["Id"];
            /** @description The ACH intent for `us_bank_account` (A5.10). Otherwise null. */
            intent: components["schemas"]["FundingIntent"] | null;
            /** @description The deposit invoice of a bank transfer, or the invoice of a purchase on terms. Otherwise null. */
            invoice_id: components["schemas"]["IdOrNull"];
            livemode: components["schemas"]["Livemode"];
            method: components["schemas"]["FundingMethod"];
            /** @description The payment's id in the control API. Null for a bank transfer that has not arrived. */
            payment_id: components["schemas"]["IdOrNull"];
            /**
             * @description The names are those of A1.10.
             * @enum {string}
             */
            status: "pending" | "succeeded" | "failed" | "uncertain";
        };
        FundingIntent: {
            id: string;
            /** @enum {string} */
            status: "requires_confirmation" | "succeeded" | "failed";
        };
        /** @enum {string} */
        FundingMethod: "net_terms" | "bank_transfer" | "us_bank_account";
        FundingRequest: {
            /** @description The order's `campaign_id`. */
            campaign_id: components["schemas"]["LiveOrTestId"];
            method: components["schemas"]["FundingMethod"];
        };
        /** @description The members of the request except the emails. */
        Gift: {
            /** @description The latest approval. */
            approval_id: components["schemas"]["IdOrNull"];
            created_at: components["schemas"]["Instant"];
            gift: components["schemas"]["GiftContent"];
            gift_choices: components["schemas"]["GiftChoices"];
            id: components["schemas"]["Id"];
            invoice_id: components["schemas"]["IdOrNull"];
            livemode: components["schemas"]["Livemode"];
            message: string | null;
            /** @enum {string|null} */
            mode: "bundle" | null;
            payment_id: components["schemas"]["IdOrNull"];
            payment_status: components["schemas"]["PaymentStatus"];
            receipt_id: components["schemas"]["IdOrNull"];
            recipients: components["schemas"]["GiftRecipient"][];
            /** @description The rule that created the send, or null. */
            rule_id: components["schemas"]["IdOrNull"];
            /** @description The status of the least advanced recipient that is still active (simulator decision). Once delivered, it stays so (G359). */
            status: components["schemas"]["GiftStatus"];
            totals: components["schemas"]["Totals"];
        };
        GiftChoice: {
            items: components["schemas"]["BundleItem"][];
            label: string;
        };
        /** @description The menu of the claim page. Empty if there is none. */
        GiftChoices: components["schemas"]["GiftChoice"][];
        /** @description The menu of the claim page, or an empty array for none. */
        GiftChoicesOrNoneRequest: {
            items: components["schemas"]["BundleItemRequest"][];
            label: components["schemas"]["Name"];
        }[];
        /**
         * @description The menu of the claim page, in bundle mode only (A7.6): the recipient picks one entry and gets its items in
         *     addition to the rest of the gift. Priced at the most expensive entry (simulator decision).
         */
        GiftChoicesRequest: components["schemas"]["GiftChoicesOrNoneRequest"];
        /** @description The chosen content. The two members that were not chosen are null. */
        GiftContent: {
            collection_slug: string | null;
            item_slug: string | null;
            items: components["schemas"]["BundleItem"][] | null;
        };
        /** @description Exactly one of the three. */
        GiftContentRequest: {
            collection_slug?: components["schemas"]["Slug"];
            item_slug?: components["schemas"]["Slug"];
            items?: components["schemas"]["BundleItemRequest"][];
        };
        GiftEvent: {
            created_at: components["schemas"]["Instant"];
            data: {
                /** @description The large campaign of a recipient of a paid batch, instead of `gift_id` (G66). */
                campaign_id?: components["schemas"]["Id"];
                gift_id?: components["schemas"]["Id"];
                /**
                 * @description Null for `gift.sent`, which is one event for the whole send or batch, and for a sandbox event of a gift
                 *     or campaign with several recipients (simulator decisions).
                 */
                recipient_id: components["schemas"]["IdOrNull"];
                /** @description The status of the recipient, or of the whole send for `gift.sent`. */
                status: components["schemas"]["GiftStatus"];
            };
            /** @description The event id, the same on every attempt. Deduplicate by it. */
            id: string;
            livemode: components["schemas"]["Livemode"];
            /** @enum {string} */
            type: "gift.sent" | "gift.claimed" | "gift.shipped" | "gift.delivered";
        };
        GiftPage: {
            data: components["schemas"]["Gift"][];
            next_cursor: components["schemas"]["NextCursor"];
        };
        GiftRecipient: {
            carrier: string | null;
            crm: {
                id: string;
                object_type: string;
                provider: string;
            } | null;
            delivered_at: components["schemas"]["InstantOrNull"];
            id: components["schemas"]["Id"];
            /** @description The name given, or the one in the roster or CRM when the send was created. */
            name: string;
            person_id: components["schemas"]["IdOrNull"];
            shipped_at: components["schemas"]["InstantOrNull"];
            status: components["schemas"]["GiftStatus"];
            tracking_number: string | null;
        };
        /** @description Exactly one of the three forms. */
        GiftRecipientRequest: {
            crm?: components["schemas"]["ContactReference"];
            email?: components["schemas"]["Email"];
            name?: components["schemas"]["Name"];
            person_id?: components["schemas"]["LiveOrTestId"];
        } & ({
            crm?: unknown;
            email?: unknown;
            name?: unknown;
        } | {
            email?: unknown;
            name?: unknown;
            person_id?: unknown;
        } | {
            crm?: unknown;
            person_id?: unknown;
        });
        GiftRequest: {
            gift: components["schemas"]["GiftContentRequest"];
            gift_choices?: components["schemas"]["GiftChoicesRequest"];
            message?: components["schemas"]["Text"];
            mode?: components["schemas"]["BundleMode"];
            recipients: components["schemas"]["GiftRecipientRequest"][];
        };
        /** @description Identifiers and status only. */
        GiftSend: {
            approval_id: components["schemas"]["IdOrNull"];
            id: components["schemas"]["Id"];
            livemode: components["schemas"]["Livemode"];
            /** @description In the order of the request. */
            recipients: {
                id: components["schemas"]["Id"];
                status: components["schemas"]["GiftStatus"];
            }[];
            status: components["schemas"]["GiftStatus"];
        };
        /**
         * @description The status of a send or of one of its recipients (A1.6). `rejected` is what a person refused, `canceled` what
         *     cannot arrive any more: because production refused it, or because a large campaign was stopped (G366). No call and
         *     no verb cancels a gift send (G168).
         * @enum {string}
         */
        GiftStatus: "awaiting_approval" | "sent" | "claimed" | "shipped" | "delivered" | "rejected" | "canceled" | "expired";
        GiftTimeline: {
            data: components["schemas"]["GiftTimelineEntry"][];
            next_cursor: null;
        };
        GiftTimelineEntry: {
            at: components["schemas"]["Instant"];
            /**
             * @description How the approval was decided, in an entry of the kind `approval.decided`: `canceled` if nobody decided before it expired. Null in all other entries.
             * @enum {string|null}
             */
            decision: "approved" | "rejected" | "canceled" | null;
            /**
             * @description giftsim never writes `gift.canceled`, because no call and no verb cancels a gift send (G168).
             * @enum {string}
             */
            kind: "gift.created" | "approval.requested" | "approval.decided" | "gift.sent" | "gift.claimed" | "gift.shipped" | "gift.delivered" | "gift.rejected" | "gift.canceled" | "gift.expired";
            /** @description The recipient concerned. Null for the whole send. */
            recipient_id: components["schemas"]["IdOrNull"];
            /** @description The new status of the recipient or of the whole send. */
            status: components["schemas"]["GiftStatus"];
        };
        /** @description The upper limit is a simulator decision. */
        Headcount: number;
        /**
         * Format: uuid
         * @description An integer for records of live keys, a UUID for those of test keys (0.7).
         */
        Id: number | string;
        /** Format: uuid */
        IdOrNull: number | string | null;
        InputChoices: {
            items: components["schemas"]["ProductQuantity"][];
            label: string;
        }[];
        /** Format: date-time */
        Instant: string;
        /** Format: date-time */
        InstantOrNull: string | null;
        Invoice: {
            amount_cents: components["schemas"]["Cents"];
            created_at: components["schemas"]["Instant"];
            currency: components["schemas"]["Currency"];
            /** Format: date */
            due_on: string;
            id: components["schemas"]["Id"];
            /** @enum {string} */
            kind: "net_terms" | "deposit";
            livemode: components["schemas"]["Livemode"];
            /** @description The number printed on the PDF. */
            number: string;
            paid_at: components["schemas"]["InstantOrNull"];
            receipt_id: components["schemas"]["IdOrNull"];
            /** @description The record it bills. Null for a deposit to the balance. */
            resource_id: components["schemas"]["IdOrNull"];
            resource_type: components["schemas"]["ResourceTypeOrNull"];
            /**
             * @description `past_due` only with the setting `invoices.past_due_status` (G363).
             * @enum {string}
             */
            status: "open" | "past_due" | "paid" | "void";
        };
        InvoiceEvent: {
            created_at: components["schemas"]["Instant"];
            data: {
                invoice_id: components["schemas"]["Id"];
                resource_id: components["schemas"]["IdOrNull"];
                resource_type: components["schemas"]["ResourceTypeOrNull"];
                /** @enum {string} */
                status: "open" | "paid";
            };
            /** @description The event id, the same on every attempt. Deduplicate by it. */
            id: string;
            livemode: components["schemas"]["Livemode"];
            /** @enum {string} */
            type: "invoice.issued" | "invoice.paid";
        };
        InvoicePage: {
            data: components["schemas"]["Invoice"][];
            next_cursor: components["schemas"]["NextCursor"];
        };
        Item: {
            currency: components["schemas"]["Currency"];
            id: components["schemas"]["CatalogId"];
            /** @description The id for bundles and store orders. */
            merchant_product_id: components["schemas"]["CatalogId"];
            name: string;
            /**
             * @description With `custom_artwork` each order item needs a signed proof before payment (A1.5). With `review_required` the
             *     personalization needs a review. The values are a simulator decision.
             * @enum {string}
             */
            personalization: "none" | "custom_artwork" | "review_required";
            price_cents: components["schemas"]["Cents"];
            slug: string;
        };
        ItemPage: {
            data: components["schemas"]["Item"][];
            next_cursor: components["schemas"]["NextCursor"];
        };
        /** @description Recipients are counted, not listed. */
        LargeCampaign: {
            /** @description The latest approval. Null until the campaign is prepared for the first time. */
            approval_id: components["schemas"]["IdOrNull"];
            /** @description The batches in order. */
            batches: components["schemas"]["Batch"][];
            /** @description Null for a campaign with a `setup`. */
            collection: string | null;
            /**
             * @description The number of recipients in each status; they add up to `recipient_count`. A recipient is `pending` until the
             *     batch is prepared, `unpaid` until it is paid, and then has the statuses of a gift (simulator decision).
             */
            counts: {
                canceled: number;
                claimed: number;
                delivered: number;
                expired: number;
                pending: number;
                rejected: number;
                sent: number;
                shipped: number;
                unpaid: number;
            };
            created_at: components["schemas"]["Instant"];
            gift_choices: components["schemas"]["GiftChoices"];
            gift_message: string | null;
            id: components["schemas"]["Id"];
            /** @description The items of each recipient. Their ids name their proofs. */
            items: components["schemas"]["TeamOrderItem"][];
            livemode: components["schemas"]["Livemode"];
            /** @enum {string|null} */
            mode: "bundle" | null;
            name: string | null;
            /** @enum {string|null} */
            payment_method: "net_terms" | null;
            recipient_count: number;
            /** @description The revision of that template. */
            revision: number | null;
            /** @description The items of a campaign without a collection, or null. */
            setup: components["schemas"]["TemplateSetup"] | null;
            /**
             * @description `awaiting_approval` is documented. The other names are those of A1.7.
             * @enum {string}
             */
            status: "preparing" | "awaiting_approval" | "approved" | "completed" | "paused" | "stopped";
            /** @description The template that it was created from, or null (G63). */
            template_id: components["schemas"]["IdOrNull"];
            /** @description The totals of the prepared and paid batches. */
            totals: components["schemas"]["Totals"];
        };
        LargeCampaignPatch: {
            /** @enum {string} */
            action: "pause" | "resume" | "reprice";
        };
        LargeCampaignRequest: {
            /** @description As in a template; it is not kept. */
            budget_cents?: components["schemas"]["PriceCentsOrNull"];
            /** @description Required, unless `setup` names the items. */
            collection?: components["schemas"]["Slug"];
            /** @description Empty only with a `setup`. */
            gift_choices?: components["schemas"]["GiftChoicesOrNoneRequest"];
            gift_message?: components["schemas"]["Text"];
            mode?: components["schemas"]["BundleModeOrNull"];
            name?: components["schemas"]["LineOrNull"];
            /** @description As in a template; it is not kept. */
            occasion?: components["schemas"]["LineOrNull"];
            /**
             * @description `net_terms` pays the batches on terms, which needs further scopes. By default they are paid from the balance.
             * @enum {string}
             */
            payment_method?: "net_terms";
            recipients: components["schemas"]["CampaignRecipientRequest"][];
            /** @description The revision of that template, at most the current one. */
            revision?: components["schemas"]["Revision"];
            /** @description The items, instead of a collection, as in a template (G63). */
            setup?: components["schemas"]["TemplateSetupRequest"];
            /** @description The template that the body was made from. Needs `revision` (G63). */
            template_id?: components["schemas"]["LiveOrTestId"];
        };
        Line: string;
        LineOrNull: string | null;
        /** @description False for records created with a test key. */
        Livemode: boolean;
        /**
         * Format: uuid
         * @description A record's id in the type of the key's mode: an integer for live keys, a UUID for test keys.
         */
        LiveOrTestId: number | string;
        /** Format: uuid */
        LiveOrTestIdOrNull: number | string | null;
        /** @description There is no email, and no `livemode` because both modes share the members. */
        Member: {
            created_at: components["schemas"]["Instant"];
            display_name: string;
            /** @description An integer for live and test keys alike. */
            id: number;
            /**
             * @description What the user's session may do (A4.1).
             * @enum {string}
             */
            role: "owner" | "approver" | "member";
        };
        MemberPage: {
            data: components["schemas"]["Member"][];
            next_cursor: components["schemas"]["NextCursor"];
        };
        /** @enum {string} */
        Mode: "live" | "test";
        /** @description Not blank. */
        Name: string;
        /** @description The cursor of the next page. Null on the last page. */
        NextCursor: string | null;
        Occasion: {
            /** Format: date */
            date: string;
            /** @enum {string} */
            occasion: "birthday" | "work_anniversary";
            /** @description Full years of work. Null for a birthday. */
            years: number | null;
        };
        Option: {
            name: string;
            values: components["schemas"]["OptionValue"][];
            variation_id: components["schemas"]["CatalogId"];
        };
        OptionPage: {
            data: components["schemas"]["Option"][];
            next_cursor: null;
        };
        OptionValue: {
            name: string;
            option_id: components["schemas"]["CatalogId"];
        };
        PayLimits: {
            monthly_cents: number | null;
            per_request_cents: number | null;
        };
        PayLimitsRequest: {
            monthly_cents?: components["schemas"]["PriceCentsOrNull"];
            per_request_cents?: components["schemas"]["PriceCentsOrNull"];
        };
        /**
         * @description Independent of the status (A1.1).
         * @enum {string}
         */
        PaymentStatus: "unpaid" | "reserved" | "paid" | "uncertain" | "refunded";
        PeopleRequest: {
            people: components["schemas"]["PersonRequest"][];
        };
        PeopleUpserted: {
            created: components["schemas"]["Count"];
            /** @description In the order of the request (A8.2). */
            data: components["schemas"]["PersonWrite"][];
            updated: components["schemas"]["Count"];
        };
        Person: {
            birthday: string | null;
            country: string | null;
            created_at: components["schemas"]["Instant"];
            department: string | null;
            /**
             * @description First and last name. If both are missing, `Person` with the id, never part of the email (simulator
             *     decision).
             */
            display_name: string;
            first_name: string | null;
            id: components["schemas"]["Id"];
            last_name: string | null;
            livemode: components["schemas"]["Livemode"];
            location: string | null;
            /** @description The fields that only the provider can change. Empty without a provider (simulator decision). */
            managed_fields: string[];
            /** @description The connected provider that manages fields of this person, or null (simulator decision). */
            provider: string | null;
            start_date: components["schemas"]["DayOrNull"];
            status: string | null;
            updated_at: components["schemas"]["Instant"];
            zip: string | null;
        };
        PersonPage: {
            data: components["schemas"]["Person"][];
            next_cursor: components["schemas"]["NextCursor"];
        };
        PersonPatch: {
            /** @description `MM-DD`, without a year. 02-29 is allowed. */
            birthday?: string | null;
            country?: components["schemas"]["Country"] | null;
            department?: components["schemas"]["LineOrNull"];
            first_name?: components["schemas"]["LineOrNull"];
            last_name?: components["schemas"]["LineOrNull"];
            location?: components["schemas"]["LineOrNull"];
            /** Format: date */
            start_date?: string | null;
            /** @description Free text (A7.12). */
            status?: components["schemas"]["LineOrNull"];
            /**
             * Format: email
             * @description Identifies the person; blanks at either end and case are ignored (A7.8). Stored and never returned.
             */
            work_email?: string;
            zip?: string | null;
        };
        /** @description The response to a key that may not read the roster: the id, and the members of the request as sent (G60). */
        PersonReceived: {
            birthday?: string | null;
            country?: string | null;
            department?: string | null;
            first_name?: string | null;
            id: components["schemas"]["Id"];
            last_name?: string | null;
            livemode: components["schemas"]["Livemode"];
            location?: string | null;
            start_date?: components["schemas"]["DayOrNull"];
            status?: string | null;
            zip?: string | null;
        };
        /** @description `id` and `display_name` are read-only and ignored. */
        PersonRequest: {
            /** @description `MM-DD`, without a year. 02-29 is allowed. */
            birthday?: string | null;
            country?: components["schemas"]["Country"] | null;
            department?: components["schemas"]["LineOrNull"];
            first_name?: components["schemas"]["LineOrNull"];
            last_name?: components["schemas"]["LineOrNull"];
            location?: components["schemas"]["LineOrNull"];
            /** Format: date */
            start_date?: string | null;
            /** @description Free text (A7.12). */
            status?: components["schemas"]["LineOrNull"];
            /**
             * Format: email
             * @description Identifies the person; blanks at either end and case are ignored (A7.8). Stored and never returned.
             */
            work_email: string;
            zip?: string | null;
        };
        PersonWrite: components["schemas"]["PersonWritten"] | components["schemas"]["PersonReceived"];
        PersonWritten: {
            birthday: string | null;
            country: string | null;
            created_at: components["schemas"]["Instant"];
            department: string | null;
            /**
             * @description First and last name. If both are missing, `Person` with the id, never part of the email (simulator
             *     decision).
             */
            display_name: string;
            first_name: string | null;
            id: components["schemas"]["Id"];
            /** @description Fields of the request that a provider manages (A7.7). */
            ignored_fields: string[];
            last_name: string | null;
            livemode: components["schemas"]["Livemode"];
            location: string | null;
            /** @description The fields that only the provider can change. Empty without a provider (simulator decision). */
            managed_fields: string[];
            /** @description The connected provider that manages fields of this person, or null (simulator decision). */
            provider: string | null;
            start_date: components["schemas"]["DayOrNull"];
            status: string | null;
            updated_at: components["schemas"]["Instant"];
            zip: string | null;
        };
        Placement: {
            artwork_id: components["schemas"]["Id"];
            fit: string;
        };
        PlacementRequest: {
            artwork_id: components["schemas"]["LiveOrTestId"];
            /**
             * @description Free text, because the documents list no values (simulator decision).
             * @default contain
             */
            fit?: string;
        };
        Preview: {
            created_at: components["schemas"]["Instant"];
            /** @description The reason for the failure, or null. */
            failure: string | null;
            finished_at: components["schemas"]["InstantOrNull"];
            id: components["schemas"]["Id"];
            /**
             * Format: uri
             * @description The URL of an image on the simulator, once the preview is ready.
             */
            image_url: string | null;
            livemode: components["schemas"]["Livemode"];
            placements: {
                [key: string]: components["schemas"]["Placement"];
            };
            product_id: components["schemas"]["CatalogId"];
            /**
             * @description The names are those of A1.9.
             * @enum {string}
             */
            status: "pending" | "ready" | "failed";
        };
        PreviewRequest: {
            /** @description Placements by the keys of `GET /print-areas`. */
            placements: {
                [key: string]: components["schemas"]["PlacementRequest"];
            };
            product_id: components["schemas"]["CatalogId"];
        };
        PriceCentsOrNull: number | null;
        PrintArea: {
            height_px: number;
            key: string;
            name: string;
            width_px: number;
        };
        PrintAreaPage: {
            data: components["schemas"]["PrintArea"][];
            next_cursor: null;
        };
        ProcessRequest: {
            /**
             * @description Left out for the next batch.
             * @enum {string}
             */
            action?: "stop" | "reprice";
        };
        ProductQuantity: {
            merchant_product_id: components["schemas"]["CatalogId"];
            quantity: number;
        };
        /** @description A product and its quantity. */
        ProductRequest: {
            merchant_product_id: components["schemas"]["CatalogId"];
            quantity?: components["schemas"]["Quantity"];
        };
        Proof: {
            campaign_id: components["schemas"]["Id"];
            created_at: components["schemas"]["Instant"];
            /** @description Null before the first version. */
            current_version: number | null;
            /** @description Equal to `order_item_id`. */
            id: components["schemas"]["Id"];
            livemode: components["schemas"]["Livemode"];
            order_item_id: components["schemas"]["Id"];
            /** @description The review of the current version, or null. */
            review: components["schemas"]["ProofReview"] | null;
            signed_at: components["schemas"]["InstantOrNull"];
            /** @description Null unless the current version is signed. */
            signed_version: number | null;
            status: components["schemas"]["ProofStatus"];
            /** @description Newest first. */
            versions: components["schemas"]["ProofVersion"][];
        };
        ProofPage: {
            data: components["schemas"]["Proof"][];
            next_cursor: null;
        };
        ProofReview: {
            /** @enum {string} */
            decision: "approve" | "request_changes";
            note: string | null;
            reviewed_at: components["schemas"]["Instant"];
        };
        ProofReviewRequest: {
            /** @enum {string} */
            decision: "approve" | "request_changes";
            note?: components["schemas"]["Text"];
        };
        ProofSignRequest: {
            version: number;
        };
        /**
         * @description The names are those of A1.4.
         * @enum {string}
         */
        ProofStatus: "awaiting_version" | "in_review" | "ready_to_sign" | "signed" | "changes_requested";
        ProofVersion: {
            artwork_id: components["schemas"]["Id"];
            created_at: components["schemas"]["Instant"];
            notes: string | null;
            version: number;
        };
        ProofVersionRequest: {
            artwork_id: components["schemas"]["LiveOrTestId"];
            notes?: components["schemas"]["Text"];
        };
        /** @default 1 */
        Quantity: number;
        /** @description The price of a collection, or of items of the store. */
        Quote: {
            /** @description Null for a store quote. */
            collection: string | null;
            destination_countries: components["schemas"]["Destination"][];
            headcount: number;
            items: components["schemas"]["QuoteItem"][];
            livemode: components["schemas"]["Livemode"];
            totals: components["schemas"]["Totals"];
        };
        QuoteItem: {
            item_slug: string;
            merchant_product_id: components["schemas"]["CatalogId"];
            name: string;
            /** @description The quantity for each head. */
            quantity: number;
            /** @description The total for all heads. */
            total_cents: components["schemas"]["Cents"];
            unit_price_cents: components["schemas"]["Cents"];
        };
        QuoteRequest: {
            collection: components["schemas"]["Slug"];
            destination_countries?: components["schemas"]["Destinations"];
            headcount: components["schemas"]["Headcount"];
        };
        RecipientBranding: {
            livemode: components["schemas"]["Livemode"];
            logo_artwork_id: components["schemas"]["IdOrNull"];
            primary_color: string | null;
            sender_name: string | null;
        };
        RecipientBrandingPatch: {
            logo_artwork_id?: components["schemas"]["LiveOrTestIdOrNull"];
            primary_color?: string | null;
            sender_name?: components["schemas"]["LineOrNull"];
        };
        /**
         * @description The status of a recipient's parcel. The names are those of B23.
         * @enum {string}
         */
        RecipientStatus: "awaiting" | "submitted" | "in_production" | "labeled" | "shipped" | "delivered" | "delayed" | "rejected" | "expired" | "canceled";
        /**
         * @description The subject of an approval, an invoice or a statement entry. Store orders are team orders (simulator decision).
         * @enum {string}
         */
        ResourceType: "team_order" | "gift" | "large_campaign";
        /** @enum {string|null} */
        ResourceTypeOrNull: "team_order" | "gift" | "large_campaign" | null;
        Revision: number;
        /** @enum {string} */
        Role: "requester" | "approver";
        Rule: {
            active: boolean;
            /**
             * @description As in the request. It has no effect (A7.12).
             * @enum {string}
             */
            approval_mode: "manual" | "auto";
            budget_monthly_cents: number | null;
            budget_per_send_cents: number | null;
            bundle: {
                items: components["schemas"]["ProductQuantity"][];
            };
            created_at: components["schemas"]["Instant"];
            gift_sender: string | null;
            id: components["schemas"]["Id"];
            kind: components["schemas"]["RuleKind"];
            livemode: components["schemas"]["Livemode"];
            name: string;
            trigger_type: components["schemas"]["TriggerType"];
            updated_at: components["schemas"]["Instant"];
        };
        RuleBundleRequest: {
            items: components["schemas"]["ProductRequest"][];
        };
        RuleEvaluation: {
            /**
             * Format: date
             * @description Today in Los Angeles.
             */
            date: string;
            /** @description The number of active rules. */
            evaluated: components["schemas"]["Count"];
            /** @description The sends created now, held for approval. */
            gifts: {
                approval_id: components["schemas"]["IdOrNull"];
                id: components["schemas"]["Id"];
                rule_id: components["schemas"]["Id"];
                status: components["schemas"]["GiftStatus"];
            }[];
            kind: components["schemas"]["RuleKind"];
            livemode: components["schemas"]["Livemode"];
            skipped: components["schemas"]["SkippedSend"][];
        };
        /** @enum {string} */
        RuleKind: "hr" | "crm";
        RulePage: {
            data: components["schemas"]["Rule"][];
            next_cursor: components["schemas"]["NextCursor"];
        };
        RulePatch: {
            /** @description Default true. */
            active?: boolean;
            /**
             * @description Default `manual`. It is stored and has no effect: the gifts of every rule are held until a person approves them, also with `auto` (A7.12).
             * @enum {string}
             */
            approval_mode?: "manual" | "auto";
            /** @description Sends beyond this sum in a Los Angeles month are skipped. A send that a person rejects does not count. Null means no limit. */
            budget_monthly_cents?: components["schemas"]["PriceCentsOrNull"];
            /** @description More expensive sends are skipped. Null means no limit. */
            budget_per_send_cents?: components["schemas"]["PriceCentsOrNull"];
            bundle?: components["schemas"]["RuleBundleRequest"];
            gift_sender?: components["schemas"]["LineOrNull"];
            kind?: components["schemas"]["RuleKind"];
            name?: components["schemas"]["Name"];
            trigger_type?: components["schemas"]["TriggerType"];
        };
        RulePreview: {
            /**
             * Format: date
             * @description Today in Los Angeles.
             */
            date: string;
            kind: components["schemas"]["RuleKind"];
            livemode: components["schemas"]["Livemode"];
            rule_id: components["schemas"]["Id"];
            sends: components["schemas"]["DueSend"][];
            skipped: components["schemas"]["SkippedSend"][];
            /** @description The total of all sends. */
            total_cents: components["schemas"]["Cents"];
        };
        RuleRequest: {
            /** @description Default true. */
            active?: boolean;
            /**
             * @description Default `manual`. It is stored and has no effect: the gifts of every rule are held until a person approves them, also with `auto` (A7.12).
             * @enum {string}
             */
            approval_mode?: "manual" | "auto";
            /** @description Sends beyond this sum in a Los Angeles month are skipped. A send that a person rejects does not count. Null means no limit. */
            budget_monthly_cents?: components["schemas"]["PriceCentsOrNull"];
            /** @description More expensive sends are skipped. Null means no limit. */
            budget_per_send_cents?: components["schemas"]["PriceCentsOrNull"];
            bundle: components["schemas"]["RuleBundleRequest"];
            gift_sender?: components["schemas"]["LineOrNull"];
            kind?: components["schemas"]["RuleKind"];
            name: components["schemas"]["Name"];
            trigger_type: components["schemas"]["TriggerType"];
        };
        SandboxEvent: {
            /** @description The event's id, as in the delivery. Null for `proof.signed`. */
            event_id: string | null;
            /** @constant */
            livemode: false;
            /** Format: uuid */
            resource_id: string;
            /**
             * @description The new status of the order, gift or proof, or of the campaign's recipients.
             * @enum {string}
             */
            status: "sent" | "claimed" | "shipped" | "delivered" | "signed";
            type: components["schemas"]["SandboxEventKind"];
        };
        /**
         * @description The event types that can be simulated (A6.9).
         * @enum {string}
         */
        SandboxEventKind: "team_order.shipped" | "team_order.delivered" | "gift.sent" | "gift.claimed" | "gift.shipped" | "gift.delivered" | "proof.signed";
        SandboxEventRequest: {
            /**
             * Format: uuid
             * @description A test order's `id`, a test gift's or test campaign's for the types `gift.*`, or a test order item's for
             *     `proof.signed`.
             */
            resource_id: string;
            type: components["schemas"]["SandboxEventKind"];
        };
        /**
         * @description Exactly these 13 scopes exist. None implies another.
         * @enum {string}
         */
        Scope: "catalog:read" | "people:read" | "people:write" | "contacts:read" | "gifts:send" | "orders:read" | "orders:write" | "orders:pay" | "artwork:write" | "rules:write" | "billing:read" | "billing:write" | "webhooks:manage";
        /** @description A gift send that was due and is not created, with the reason. */
        SkippedSend: {
            /** @description For a `crm` rule. Otherwise null. */
            crm: {
                id: string;
                object_type: string;
                provider: string;
            } | null;
            display_name: string;
            /** @description For an `hr` rule. Otherwise null. */
            person_id: components["schemas"]["IdOrNull"];
            /** @enum {string} */
            reason: "already_sent" | "budget_per_send" | "budget_monthly";
            rule_id: components["schemas"]["Id"];
        };
        Slug: string;
        Statement: {
            /** @description The opening balance plus the amounts of all entries. */
            closing_balance_cents: number;
            currency: components["schemas"]["Currency"];
            /** @description Changes of the balance in order of time. */
            entries: components["schemas"]["StatementEntry"][];
            livemode: components["schemas"]["Livemode"];
            month: string;
            opening_balance_cents: number;
            /** @description True for the current month. */
            partial: boolean;
        };
        StatementEntry: {
            /** @description Negative for outgoing money. */
            amount_cents: number;
            at: components["schemas"]["Instant"];
            /** @description The balance after this entry. */
            balance_cents: number;
            invoice_id: components["schemas"]["IdOrNull"];
            /** @enum {string} */
            kind: "deposit" | "charge" | "refund" | "adjustment";
            receipt_id: components["schemas"]["IdOrNull"];
            resource_id: components["schemas"]["IdOrNull"];
            resource_type: components["schemas"]["ResourceTypeOrNull"];
        };
        Store: {
            items: components["schemas"]["Item"][];
            name: string;
        };
        StoreOrderRequest: {
            items: components["schemas"]["ProductRequest"][];
            recipients?: components["schemas"]["TypedRecipient"][];
        };
        TaxCertificate: {
            /** @enum {string} */
            content_type: "application/pdf" | "image/png" | "image/jpeg" | "image/webp";
            created_at: components["schemas"]["Instant"];
            id: components["schemas"]["Id"];
            livemode: components["schemas"]["Livemode"];
            region: string | null;
            reviewed_at: components["schemas"]["InstantOrNull"];
            size_bytes: number;
            /**
             * @description The names are those of A1.10.
             * @enum {string}
             */
            status: "pending_review" | "accepted" | "rejected";
            url: string;
        };
        TaxCertificateRequest: {
            /** @description The region of the exemption, such as a state (A7.19). */
            region?: components["schemas"]["LineOrNull"];
            url: components["schemas"]["Url"];
        };
        Team: {
            /** @description Whether `POST /funding` takes `us_bank_account` (A5.10). */
            ach_enabled: boolean;
            created_at: components["schemas"]["Instant"];
            currency: components["schemas"]["Currency"];
            /** @description An integer for live and test keys alike. */
            id: number;
            /** @description The mode of the calling key. */
            livemode: boolean;
            name: string;
            /**
             * @description The team's plan (A7.21).
             * @enum {string}
             */
            plan: "sandbox" | "starter" | "growth" | "enterprise";
            /**
             * @description The time zone of the team's days and months.
             * @constant
             */
            time_zone: "America/Los_Angeles";
        };
        /** @description The members of the request except the emails, and the state of the order. */
        TeamOrder: {
            /** @description The latest approval. Null until one is requested. */
            approval_id: components["schemas"]["IdOrNull"];
            /** @description Equal to `id` (A7.2). Used for funding and for reading proofs. */
            campaign_id: components["schemas"]["Id"];
            cancel_reason: string | null;
            /** @description Null for a store order, and for an order with a `setup`. */
            collection: string | null;
            cost_center_id: components["schemas"]["IdOrNull"];
            created_at: components["schemas"]["Instant"];
            /** @description The countries in which recipients may claim. */
            destination_countries: components["schemas"]["Destination"][];
            gift_choices: components["schemas"]["GiftChoices"];
            gift_message: string | null;
            headcount: number;
            id: components["schemas"]["Id"];
            invoice_id: components["schemas"]["IdOrNull"];
            items: components["schemas"]["TeamOrderItem"][];
            livemode: components["schemas"]["Livemode"];
            /** @enum {string|null} */
            mode: "bundle" | null;
            /** @description The id of the latest payment in the control API. */
            payment_id: components["schemas"]["IdOrNull"];
            /**
             * @description How the order was paid, or is being paid (G169). While it is unpaid, what the request that created it asked
             *     for, or null.
             * @enum {string|null}
             */
            payment_method: "balance" | "net_terms" | "bank_transfer" | "us_bank_account" | null;
            payment_status: components["schemas"]["PaymentStatus"];
            po_number: string | null;
            receipt_id: components["schemas"]["IdOrNull"];
            /** @description In the order of the request, followed by the people who claimed a seat without a name (simulator decision). */
            recipients: components["schemas"]["TeamOrderRecipient"][];
            /** @description The revision of that template. */
            revision: number | null;
            /**
             * @description `store` for an order created with `POST /store/orders` (simulator decision).
             * @enum {string}
             */
            source: "team" | "store";
            status: components["schemas"]["TeamOrderStatus"];
            /** @description The template that it was created from, or null (G63). */
            template_id: components["schemas"]["IdOrNull"];
            totals: components["schemas"]["Totals"];
        };
        TeamOrderEvent: {
            created_at: components["schemas"]["Instant"];
            data: {
                campaign_id: components["schemas"]["Id"];
                payment_status: components["schemas"]["PaymentStatus"];
                status: components["schemas"]["TeamOrderStatus"];
                team_order_id: components["schemas"]["Id"];
            };
            /** @description The event id, the same on every attempt. Deduplicate by it. */
            id: string;
            livemode: components["schemas"]["Livemode"];
            /** @enum {string} */
            type: "team_order.shipped" | "team_order.delivered";
        };
        TeamOrderItem: {
            /** @description The order item's id, used in the proof calls. Never equal to an order's `id` (A7.2). */
            id: components["schemas"]["Id"];
            item_slug: string;
            merchant_product_id: components["schemas"]["CatalogId"];
            name: string;
            /** @description Null if no proof is needed (A1.5). */
            proof_status: components["schemas"]["ProofStatus"] | null;
            /** @description The quantity for each head. */
            quantity: number;
        };
        TeamOrderPage: {
            data: components["schemas"]["TeamOrder"][];
            next_cursor: components["schemas"]["NextCursor"];
        };
        TeamOrderPatch: {
            /** @description Null removes it. */
            cost_center_id?: components["schemas"]["LiveOrTestIdOrNull"];
            /** @description Null removes it. */
            po_number?: components["schemas"]["LineOrNull"];
        };
        TeamOrderRecipient: {
            id: components["schemas"]["Id"];
            name: string;
            status: components["schemas"]["RecipientStatus"];
        };
        TeamOrderRequest: {
            /** @description As in a template; it is not kept. */
            budget_cents?: components["schemas"]["PriceCentsOrNull"];
            /** @description Required, unless `setup` names the items. */
            collection?: components["schemas"]["Slug"];
            destination_countries?: components["schemas"]["Destinations"];
            /** @description Empty only with a `setup`. */
            gift_choices?: components["schemas"]["GiftChoicesOrNoneRequest"];
            gift_message?: components["schemas"]["Text"];
            /** @description Required, unless there are a `setup` and recipients. Default: the number of recipients. */
            headcount?: components["schemas"]["Headcount"];
            mode?: components["schemas"]["BundleModeOrNull"];
            /** @description As in a template; it is not kept. */
            name?: components["schemas"]["LineOrNull"];
            /** @description As in a template; it is not kept. */
            occasion?: components["schemas"]["LineOrNull"];
            /**
             * @description Only `net_terms` (A5.2). If left out, the order is held.
             * @enum {string}
             */
            payment_method?: "net_terms";
            po_number?: components["schemas"]["Line"];
            /** @description At most `headcount` (A7.4). The other heads have no name yet. */
            recipients?: components["schemas"]["TypedRecipient"][];
            /** @description The revision of that template, at most the current one. */
            revision?: components["schemas"]["Revision"];
            /** @description The items, instead of a collection, as in a template (G63). */
            setup?: components["schemas"]["TemplateSetupRequest"];
            /** @description The template that the body was made from. Needs `revision` (G63). */
            template_id?: components["schemas"]["LiveOrTestId"];
        };
        /**
         * @description The names are those of A1.1. An order is `in_production` and `shipped` with its first parcel, `delivered` with
         *     its last, and does not go back (G178, G359).
         * @enum {string}
         */
        TeamOrderStatus: "awaiting_approval" | "approved" | "in_production" | "shipped" | "delivered" | "rejected" | "canceled";
        Template: {
            budget_cents: number | null;
            created_at: components["schemas"]["Instant"];
            gift_choices: components["schemas"]["GiftChoices"];
            id: components["schemas"]["Id"];
            livemode: components["schemas"]["Livemode"];
            /** @enum {string|null} */
            mode: "bundle" | null;
            name: string;
            occasion: string | null;
            revision: components["schemas"]["Revision"];
            setup: components["schemas"]["TemplateSetup"];
            updated_at: components["schemas"]["Instant"];
        };
        TemplateDeletion: {
            revision: components["schemas"]["Revision"];
        };
        TemplatePage: {
            data: components["schemas"]["Template"][];
            next_cursor: components["schemas"]["NextCursor"];
        };
        TemplateReplacement: {
            budget_cents?: components["schemas"]["PriceCentsOrNull"];
            gift_choices?: components["schemas"]["GiftChoicesRequest"];
            mode?: components["schemas"]["BundleMode"];
            name: components["schemas"]["Name"];
            /** @description Free text (A7.12). */
            occasion?: components["schemas"]["LineOrNull"];
            revision?: components["schemas"]["Revision"];
            setup: components["schemas"]["TemplateSetupRequest"];
        };
        TemplateRequest: {
            budget_cents?: components["schemas"]["PriceCentsOrNull"];
            gift_choices?: components["schemas"]["GiftChoicesRequest"];
            mode?: components["schemas"]["BundleMode"];
            name: components["schemas"]["Name"];
            /** @description Free text (A7.12). */
            occasion?: components["schemas"]["LineOrNull"];
            setup: components["schemas"]["TemplateSetupRequest"];
        };
        TemplateSetup: {
            bundle_items: components["schemas"]["ProductQuantity"][];
            /** @description Present if the request had its menu here. */
            gift_choices?: components["schemas"]["GiftChoices"];
        };
        TemplateSetupRequest: {
            bundle_items: components["schemas"]["ProductRequest"][];
            /**
             * @description The menu may be given here instead: it is kept, and makes the mode `bundle`. If the body also has
             *     `gift_choices`, both must be equal (simulator decision, G63).
             */
            gift_choices?: components["schemas"]["GiftChoicesRequest"];
        };
        TemplateUse: {
            campaign_input: components["schemas"]["CampaignInput"];
        };
        TestEvent: {
            created_at: components["schemas"]["Instant"];
            data: {
                webhook_id: components["schemas"]["Id"];
            };
            /** @description The event id, the same on every attempt. Deduplicate by it. */
            id: string;
            livemode: components["schemas"]["Livemode"];
            /** @constant */
            type: "webhook.test";
        };
        Text: string;
        Totals: {
            currency: components["schemas"]["Currency"];
            /** @description A flat rate by country for each parcel (A5.1). */
            shipping_cents: components["schemas"]["Cents"];
            subtotal_cents: components["schemas"]["Cents"];
            total_cents: components["schemas"]["Cents"];
        };
        /**
         * @description The first three belong to the kind `hr`, the others to `crm` (A7.12).
         * @enum {string}
         */
        TriggerType: "birthday" | "work_anniversary" | "new_hire" | "deal_won" | "stage_changed";
        /** @description A recipient given by name and email. Responses identify it by id and name. */
        TypedRecipient: {
            email: components["schemas"]["Email"];
            name: components["schemas"]["Name"];
        };
        UpcomingPerson: {
            birthday: string | null;
            country: string | null;
            created_at: components["schemas"]["Instant"];
            department: string | null;
            /**
             * @description First and last name. If both are missing, `Person` with the id, never part of the email (simulator
             *     decision).
             */
            display_name: string;
            first_name: string | null;
            id: components["schemas"]["Id"];
            last_name: string | null;
            livemode: components["schemas"]["Livemode"];
            location: string | null;
            /** @description The fields that only the provider can change. Empty without a provider (simulator decision). */
            managed_fields: string[];
            /** @description The connected provider that manages fields of this person, or null (simulator decision). */
            provider: string | null;
            start_date: components["schemas"]["DayOrNull"];
            status: string | null;
            /** @description The upcoming occasions, soonest first (simulator decision). */
            upcoming: components["schemas"]["Occasion"][];
            updated_at: components["schemas"]["Instant"];
            zip: string | null;
        };
        UpcomingPersonPage: {
            data: components["schemas"]["UpcomingPerson"][];
            next_cursor: null;
        };
        /** @description https on a public host, with the rules of webhook URLs (B48). */
        Url: string;
        WebhookCreated: {
            /** @description Null unless `events` has `balance.low`, whatever the request had (G115). */
            balance_threshold_cents: number | null;
            created_at: components["schemas"]["Instant"];
            events: components["schemas"]["EventKind"][];
            id: components["schemas"]["Id"];
            livemode: components["schemas"]["Livemode"];
            /** @description Shown only here. Null in a replay of the call, with the setting `redact_secret_on_replay`. */
            secret: string | null;
            url: string;
        };
        WebhookPage: {
            data: components["schemas"]["WebhookSubscription"][];
            next_cursor: components["schemas"]["NextCursor"];
        };
        WebhookRequest: {
            /** @description Required with `balance.low`. Otherwise it is not kept (G115). */
            balance_threshold_cents?: components["schemas"]["PriceCentsOrNull"];
            /** @description At least one event type. A type given twice counts once. */
            events: components["schemas"]["EventKind"][];
            url: components["schemas"]["Url"];
        };
        WebhookSubscription: {
            /** @description Null unless `events` has `balance.low`, whatever the request had (G115). */
            balance_threshold_cents: number | null;
            created_at: components["schemas"]["Instant"];
            events: components["schemas"]["EventKind"][];
            id: components["schemas"]["Id"];
            livemode: components["schemas"]["Livemode"];
            url: string;
        };
        /** @description See G21. */
        WebhookTest: {
            event_id: string;
            /** @constant */
            status: "queued";
        };
        /** @description Takes no members. */
        WebhookTestRequest: Record<string, never>;
    };
    responses: {
        /** @description The request is malformed, or its Idempotency-Key is missing or malformed (0.3). */
        BadKeyedRequest: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["DetailedError"];
            };
        };
        /** @description A parameter is malformed or out of bounds, or the cursor does not belong to this list and these filters. */
        BadPage: {
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
        /** @description A parameter is malformed or out of bounds. */
        BadParameter: {
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
        /** @description The request is malformed (0.3). */
        BadRequest: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["DetailedError"];
            };
        };
        /**
         * @description The Idempotency-Key was used with another payload, or its first call is in flight or has an unknown outcome.
         *     Reads never return this.
         */
        Conflict: {
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
        /**
         * @description The key lacks a scope that the operation needs. With a setting, also if the key lacks the role `approver`, or is
         *     disabled (0.6).
         */
        Forbidden: {
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
        /** @description The key lacks a scope that the operation needs, or is a live key (A4.8). */
        ForbiddenLive: {
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
         * @description The credential is a key (of any role and scope, A4.2), or the session of a user who is neither approver nor
         *     owner.
         */
        ForbiddenNotApprover: {
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
        /** @description The credential is a key (of any role and scope, A4.2), or the session of a user who is not the owner. */
        ForbiddenNotOwner: {
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
        /** @description The key lacks a scope that the operation needs, or does not have the role `approver`. */
        ForbiddenRole: {
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
        /** @description The credential is missing or invalid. */
        NoSession: {
            headers: {
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The key's team and mode have no such record. */
        NotFound: {
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
        /** @description The CRM provider (A8.5) or the service is unavailable. */
        ProviderUnavailable: {
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
        /** @description The key made more calls than its plan allows in a minute. Honor `Retry-After`. */
        RateLimited: {
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
        /**
         * @description The given proof version is not the current one, the proof's state does not allow this, or the Idempotency-Key
         *     belongs to another call.
         */
        StaleProof: {
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
        /** @description The given revision is not the current one, or the Idempotency-Key belongs to another call. */
        StaleRevision: {
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
        /** @description The record's state does not allow this, or the Idempotency-Key belongs to another call. */
        StateConflict: {
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
        /** @description The team already has 100 subscriptions (A6.5), or the Idempotency-Key belongs to another call. */
        TooManyWebhooks: {
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
        /** @description There is no key, the key is invalid, or the team or account has disabled it (0.6). */
        Unauthorized: {
            headers: {
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Temporarily unavailable. Retry the same request later (A2.6). */
        Unavailable: {
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
        /**
         * @description The body breaks a rule, the payment is refused (0.5), or ACH is not enabled for the team (A5.10). Nothing was
         *     created or charged.
         */
        Unfundable: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["DetailedError"];
            };
        };
        /** @description The body breaks a rule, or the payment is refused (0.5). Nothing was created or charged. */
        Unpayable: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["DetailedError"];
            };
        };
        /**
         * @description The body is well-formed and breaks a rule; `details` says where. The setting `team.body_validation_status` makes
         *     this a 400 (0.3). An operation without parameters and body never returns this.
         */
        Unprocessable: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["DetailedError"];
            };
        };
        /** @description The environment has no signing key, or the service is unavailable. Retry shortly. */
        WebhooksUnavailable: {
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
    parameters: {
        /**
         * @description `next_cursor` of the previous page, with the same filters. `limit` may change (A7.14). Any other value gets
         *     `invalid_cursor`.
         */
        Cursor: string;
        /**
         * @description 1 to 128 printable characters, chosen by you, one for each intended effect. The same key with the same payload
         *     replays the first 2xx response for 24 hours of the world's time (A3.2). With another payload, or on another
         *     operation, it gets 409. A refused call leaves the key free (A2.7).
         */
        IdempotencyKey: string;
        /** @description The kind of rules. */
        Kind: "hr" | "crm";
        /** @description The maximum number of rows. A value out of bounds is refused (A2.4). */
        Limit: number;
        /** @description Optional. If sent, it works as on operations that require it. */
        OptionalIdempotencyKey: string;
        /**
         * @description The kind of rules. `hr` if neither this nor the body's `kind` is given. If both are, they must be equal, else
         *     the call gets 422 (D10). There is no `default` here, because the body's `kind` counts as well.
         */
        RequestedKind: "hr" | "crm";
        /** @description Matches part of a name or department, ignoring case. Never matches an email (A7.9). */
        Search: string;
    };
    requestBodies: never;
    headers: {
        /** @description The name to save the file under. */
        "Content-Disposition": string;
        /** @description `true` on a replay of a stored response, otherwise absent (A3.4). */
        "Idempotent-Replayed": "true";
        /** @description Seconds to wait before retrying. */
        "Retry-After": number;
        /** @description Sent with every 401. It names the kind of credential that the operation takes, a key or a session. */
        "WWW-Authenticate": "Bearer realm=\"team\"" | "Session realm=\"team\"";
        /** @description Calls that the key may make in 60 seconds, by its plan (A7.21). */
        "X-RateLimit-Limit": number;
        /** @description Calls left in this window. */
        "X-RateLimit-Remaining": number;
        /** @description When the window ends, in Unix seconds of the world's clock. */
        "X-RateLimit-Reset": number;
        /** @description The id of the call. A replay has a new one. */
        "X-Request-Id": string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listApprovals: {
        parameters: {
            query?: {
                /**
                 * @description `next_cursor` of the previous page, with the same filters. `limit` may change (A7.14). Any other value gets
                 *     `invalid_cursor`.
                 */
                cursor?: components["parameters"]["Cursor"];
                /** @description The maximum number of rows. A value out of bounds is refused (A2.4). */
                limit?: components["parameters"]["Limit"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of approvals. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApprovalPage"];
                };
            };
            400: components["responses"]["BadPage"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    getApproval: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The approval's `id`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The approval. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Approval"];
                };
            };
            400: components["responses"]["BadParameter"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    listArtwork: {
        parameters: {
            query?: {
                /**
                 * @description `next_cursor` of the previous page, with the same filters. `limit` may change (A7.14). Any other value gets
                 *     `invalid_cursor`.
                 */
                cursor?: components["parameters"]["Cursor"];
                /** @description The maximum number of rows. A value out of bounds is refused (A2.4). */
                limit?: components["parameters"]["Limit"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of artwork. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ArtworkPage"];
                };
            };
            400: components["responses"]["BadPage"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    createArtwork: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description 1 to 128 printable characters, chosen by you, one for each intended effect. The same key with the same payload
                 *     replays the first 2xx response for 24 hours of the world's time (A3.2). With another payload, or on another
                 *     operation, it gets 409. A refused call leaves the key free (A2.7).
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ArtworkRequest"];
            };
        };
        responses: {
            /** @description The artwork. */
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
                    "application/json": components["schemas"]["Artwork"];
                };
            };
            400: components["responses"]["BadKeyedRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    createPreview: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description 1 to 128 printable characters, chosen by you, one for each intended effect. The same key with the same payload
                 *     replays the first 2xx response for 24 hours of the world's time (A3.2). With another payload, or on another
                 *     operation, it gets 409. A refused call leaves the key free (A2.7).
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PreviewRequest"];
            };
        };
        responses: {
            /** @description The preview, pending. */
            202: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Preview"];
                };
            };
            400: components["responses"]["BadKeyedRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    getBalance: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The balance. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Balance"];
                };
            };
            400: components["responses"]["BadParameter"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    replaceBillingProfile: {
        parameters: {
            query?: never;
            header?: {
                /** @description Optional. If sent, it works as on operations that require it. */
                "Idempotency-Key"?: components["parameters"]["OptionalIdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BillingProfileRequest"];
            };
        };
        responses: {
            /** @description The configuration as it is now. */
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
                    "application/json": components["schemas"]["BillingProfile"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenRole"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    listCollections: {
        parameters: {
            query?: {
                /**
                 * @description `next_cursor` of the previous page, with the same filters. `limit` may change (A7.14). Any other value gets
                 *     `invalid_cursor`.
                 */
                cursor?: components["parameters"]["Cursor"];
                /** @description The maximum number of rows. A value out of bounds is refused (A2.4). */
                limit?: components["parameters"]["Limit"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of collections. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CollectionPage"];
                };
            };
            400: components["responses"]["BadPage"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    getCollection: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The collection's `slug`. */
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The collection. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Collection"];
                };
            };
            400: components["responses"]["BadParameter"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    searchContacts: {
        parameters: {
            query?: {
                /** @description The maximum number of rows. No default. */
                limit?: number;
                /** @description Only contacts of this provider. Empty for a provider that the team has not connected (A7.12). */
                provider?: string;
                /** @description Part of a name or company. Case is ignored. */
                q?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The contacts found. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactPage"];
                };
            };
            400: components["responses"]["BadParameter"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["ProviderUnavailable"];
        };
    };
    listCostCenters: {
        parameters: {
            query?: {
                /**
                 * @description `next_cursor` of the previous page, with the same filters. `limit` may change (A7.14). Any other value gets
                 *     `invalid_cursor`.
                 */
                cursor?: components["parameters"]["Cursor"];
                /** @description The maximum number of rows. A value out of bounds is refused (A2.4). */
                limit?: components["parameters"]["Limit"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of cost centers. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CostCenterPage"];
                };
            };
            400: components["responses"]["BadPage"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    createCostCenter: {
        parameters: {
            query?: never;
            header?: {
                /** @description Optional. If sent, it works as on operations that require it. */
                "Idempotency-Key"?: components["parameters"]["OptionalIdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CostCenterRequest"];
            };
        };
        responses: {
            /** @description The cost center. */
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
                    "application/json": components["schemas"]["CostCenter"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenRole"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    getCreditTerms: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The credit terms. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreditTerms"];
                };
            };
            400: components["responses"]["BadParameter"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    createDepositInvoice: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description 1 to 128 printable characters, chosen by you, one for each intended effect. The same key with the same payload
                 *     replays the first 2xx response for 24 hours of the world's time (A3.2). With another payload, or on another
                 *     operation, it gets 409. A refused call leaves the key free (A2.7).
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DepositInvoiceRequest"];
            };
        };
        responses: {
            /** @description The invoice. */
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
                    "application/json": components["schemas"]["DepositInvoice"];
                };
            };
            400: components["responses"]["BadKeyedRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenRole"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["StateConflict"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    createFunding: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description 1 to 128 printable characters, chosen by you, one for each intended effect. The same key with the same payload
                 *     replays the first 2xx response for 24 hours of the world's time (A3.2). With another payload, or on another
                 *     operation, it gets 409. A refused call leaves the key free (A2.7).
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FundingRequest"];
            };
        };
        responses: {
            /** @description The funding. */
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
                    "application/json": components["schemas"]["Funding"];
                };
            };
            400: components["responses"]["BadKeyedRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenRole"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["StateConflict"];
            422: components["responses"]["Unfundable"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    listGifts: {
        parameters: {
            query?: {
                /**
                 * @description `next_cursor` of the previous page, with the same filters. `limit` may change (A7.14). Any other value gets
                 *     `invalid_cursor`.
                 */
                cursor?: components["parameters"]["Cursor"];
                /** @description The maximum number of rows. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of gift sends. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GiftPage"];
                };
            };
            400: components["responses"]["BadPage"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    sendGift: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description 1 to 128 printable characters, chosen by you, one for each intended effect. The same key with the same payload
                 *     replays the first 2xx response for 24 hours of the world's time (A3.2). With another payload, or on another
                 *     operation, it gets 409. A refused call leaves the key free (A2.7).
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["GiftRequest"];
            };
        };
        responses: {
            /** @description The send, held for approval. Contains identifiers and status only. */
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
                    "application/json": components["schemas"]["GiftSend"];
                };
            };
            400: components["responses"]["BadKeyedRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["ProviderUnavailable"];
        };
    };
    getGift: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The gift send's `id`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The gift send. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Gift"];
                };
            };
            400: components["responses"]["BadParameter"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    getGiftTimeline: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The gift send's `id`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The history. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GiftTimeline"];
                };
            };
            400: components["responses"]["BadParameter"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    listInvoices: {
        parameters: {
            query?: {
                /**
                 * @description `next_cursor` of the previous page, with the same filters. `limit` may change (A7.14). Any other value gets
                 *     `invalid_cursor`.
                 */
                cursor?: components["parameters"]["Cursor"];
                /** @description The maximum number of rows. A value out of bounds is refused (A2.4). */
                limit?: components["parameters"]["Limit"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of invoices. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvoicePage"];
                };
            };
            400: components["responses"]["BadPage"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    getInvoicePdf: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The invoice's `id`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The invoice. */
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
                    "application/pdf": unknown;
                };
            };
            400: components["responses"]["BadParameter"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    listItems: {
        parameters: {
            query?: {
                /**
                 * @description `next_cursor` of the previous page, with the same filters. `limit` may change (A7.14). Any other value gets
                 *     `invalid_cursor`.
                 */
                cursor?: components["parameters"]["Cursor"];
                /** @description The maximum number of rows. A value out of bounds is refused (A2.4). */
                limit?: components["parameters"]["Limit"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of items. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ItemPage"];
                };
            };
            400: components["responses"]["BadPage"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    listItemOptions: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The item's `slug`. */
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The item's options. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OptionPage"];
                };
            };
            400: components["responses"]["BadParameter"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    listKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The keys, without their text. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoSession"];
            403: components["responses"]["ForbiddenNotOwner"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    createKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ApiKeyRequest"];
            };
        };
        responses: {
            /** @description The key with its text, which is shown only once. */
            201: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyCreated"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoSession"];
            403: components["responses"]["ForbiddenNotOwner"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    revokeKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The key's `id`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key was revoked. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyRevoked"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["NoSession"];
            403: components["responses"]["ForbiddenNotOwner"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    createLargeCampaign: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description 1 to 128 printable characters, chosen by you, one for each intended effect. The same key with the same payload
                 *     replays the first 2xx response for 24 hours of the world's time (A3.2). With another payload, or on another
                 *     operation, it gets 409. A refused call leaves the key free (A2.7).
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LargeCampaignRequest"];
            };
        };
        responses: {
            /** @description The campaign, preparing (A7.3). */
            202: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LargeCampaign"];
                };
            };
            400: components["responses"]["BadKeyedRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    getLargeCampaign: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The campaign's `id`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The campaign. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FollowedCampaign"];
                };
            };
            400: components["responses"]["BadParameter"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateLargeCampaign: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description 1 to 128 printable characters, chosen by you, one for each intended effect. The same key with the same payload
                 *     replays the first 2xx response for 24 hours of the world's time (A3.2). With another payload, or on another
                 *     operation, it gets 409. A refused call leaves the key free (A2.7).
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The campaign's `id`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LargeCampaignPatch"];
            };
        };
        responses: {
            /** @description The campaign as it is now. */
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
                    "application/json": components["schemas"]["LargeCampaign"];
                };
            };
            400: components["responses"]["BadKeyedRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["StateConflict"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    processLargeCampaign: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description 1 to 128 printable characters, chosen by you, one for each intended effect. The same key with the same payload
                 *     replays the first 2xx response for 24 hours of the world's time (A3.2). With another payload, or on another
                 *     operation, it gets 409. A refused call leaves the key free (A2.7).
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The campaign's `id`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ProcessRequest"];
            };
        };
        responses: {
            /** @description The campaign as it is now (A7.3). */
            202: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LargeCampaign"];
                };
            };
            400: components["responses"]["BadKeyedRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["StateConflict"];
            422: components["responses"]["Unpayable"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    listMembers: {
        parameters: {
            query?: {
                /**
                 * @description `next_cursor` of the previous page, with the same filters. `limit` may change (A7.14). Any other value gets
                 *     `invalid_cursor`.
                 */
                cursor?: components["parameters"]["Cursor"];
                /** @description The maximum number of rows. A value out of bounds is refused (A2.4). */
                limit?: components["parameters"]["Limit"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of members. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemberPage"];
                };
            };
            400: components["responses"]["BadPage"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    listPeople: {
        parameters: {
            query?: {
                /**
                 * @description `next_cursor` of the previous page, with the same filters. `limit` may change (A7.14). Any other value gets
                 *     `invalid_cursor`.
                 */
                cursor?: components["parameters"]["Cursor"];
                /** @description The maximum number of rows. A value out of bounds is refused (A2.4). */
                limit?: components["parameters"]["Limit"];
                /** @description Matches part of a name or department, ignoring case. Never matches an email (A7.9). */
                q?: components["parameters"]["Search"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of people. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PersonPage"];
                };
            };
            400: components["responses"]["BadPage"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenRole"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    upsertPeople: {
        parameters: {
            query?: never;
            header?: {
                /** @description Optional. If sent, it works as on operations that require it. */
                "Idempotency-Key"?: components["parameters"]["OptionalIdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PeopleRequest"];
            };
        };
        responses: {
            /** @description No row was new, and all were updated. */
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
                    "application/json": components["schemas"]["PeopleUpserted"];
                };
            };
            /** @description At least one row was new (A7.3). */
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
                    "application/json": components["schemas"]["PeopleUpserted"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    deletePerson: {
        parameters: {
            query?: never;
            header?: {
                /** @description Optional. If sent, it works as on operations that require it. */
                "Idempotency-Key"?: components["parameters"]["OptionalIdempotencyKey"];
            };
            path: {
                /** @description The person's `id`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The person was removed. */
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
                    "application/json": components["schemas"]["Deleted"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    updatePerson: {
        parameters: {
            query?: never;
            header?: {
                /** @description Optional. If sent, it works as on operations that require it. */
                "Idempotency-Key"?: components["parameters"]["OptionalIdempotencyKey"];
            };
            path: {
                /** @description The person's `id`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PersonPatch"];
            };
        };
        responses: {
            /** @description The person as it is now. */
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
                    "application/json": components["schemas"]["PersonWrite"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    listUpcomingPeople: {
        parameters: {
            query?: {
                /** @description Matches part of a name or department, ignoring case. Never matches an email (A7.9). */
                q?: components["parameters"]["Search"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The people, each listed once. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpcomingPersonPage"];
                };
            };
            400: components["responses"]["BadParameter"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenRole"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    getPreview: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The preview's `id`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The preview. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Preview"];
                };
            };
            400: components["responses"]["BadParameter"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    listPrintAreas: {
        parameters: {
            query: {
                /** @description The product's slug, or its id in decimal digits (D9). */
                product: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The areas. A preview's `placements` use their keys. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PrintAreaPage"];
                };
            };
            400: components["responses"]["BadParameter"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    reviewProof: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description 1 to 128 printable characters, chosen by you, one for each intended effect. The same key with the same payload
                 *     replays the first 2xx response for 24 hours of the world's time (A3.2). With another payload, or on another
                 *     operation, it gets 409. A refused call leaves the key free (A2.7).
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of the item of an order or large campaign. The id of either gets 404. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProofReviewRequest"];
            };
        };
        responses: {
            /** @description The proof as it is now. */
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
                    "application/json": components["schemas"]["Proof"];
                };
            };
            400: components["responses"]["BadKeyedRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["StateConflict"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    signProof: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description 1 to 128 printable characters, chosen by you, one for each intended effect. The same key with the same payload
                 *     replays the first 2xx response for 24 hours of the world's time (A3.2). With another payload, or on another
                 *     operation, it gets 409. A refused call leaves the key free (A2.7).
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of the item of an order or large campaign. The id of either gets 404. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProofSignRequest"];
            };
        };
        responses: {
            /** @description The signed proof. */
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
                    "application/json": components["schemas"]["Proof"];
                };
            };
            400: components["responses"]["BadKeyedRequest"];
            401: components["responses"]["NoSession"];
            403: components["responses"]["ForbiddenNotApprover"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["StaleProof"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    addProofVersion: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description 1 to 128 printable characters, chosen by you, one for each intended effect. The same key with the same payload
                 *     replays the first 2xx response for 24 hours of the world's time (A3.2). With another payload, or on another
                 *     operation, it gets 409. A refused call leaves the key free (A2.7).
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of the item of an order or large campaign. The id of either gets 404. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProofVersionRequest"];
            };
        };
        responses: {
            /** @description The proof with its new version. */
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
                    "application/json": components["schemas"]["Proof"];
                };
            };
            400: components["responses"]["BadKeyedRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["StateConflict"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    getReceiptPdf: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The receipt's id, which other records have as `receipt_id`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The receipt. */
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
                    "application/pdf": unknown;
                };
            };
            400: components["responses"]["BadParameter"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    getRecipientBranding: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The branding. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecipientBranding"];
                };
            };
            400: components["responses"]["BadParameter"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateRecipientBranding: {
        parameters: {
            query?: never;
            header?: {
                /** @description Optional. If sent, it works as on operations that require it. */
                "Idempotency-Key"?: components["parameters"]["OptionalIdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RecipientBrandingPatch"];
            };
        };
        responses: {
            /** @description The branding as it is now. */
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
                    "application/json": components["schemas"]["RecipientBranding"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    listRules: {
        parameters: {
            query?: {
                /**
                 * @description `next_cursor` of the previous page, with the same filters. `limit` may change (A7.14). Any other value gets
                 *     `invalid_cursor`.
                 */
                cursor?: components["parameters"]["Cursor"];
                /** @description The kind of rules. */
                kind?: components["parameters"]["Kind"];
                /** @description The maximum number of rows. A value out of bounds is refused (A2.4). */
                limit?: components["parameters"]["Limit"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of rules. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RulePage"];
                };
            };
            400: components["responses"]["BadPage"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    createRule: {
        parameters: {
            query?: {
                /**
                 * @description The kind of rules. `hr` if neither this nor the body's `kind` is given. If both are, they must be equal, else
                 *     the call gets 422 (D10). There is no `default` here, because the body's `kind` counts as well.
                 */
                kind?: components["parameters"]["RequestedKind"];
            };
            header: {
                /**
                 * @description 1 to 128 printable characters, chosen by you, one for each intended effect. The same key with the same payload
                 *     replays the first 2xx response for 24 hours of the world's time (A3.2). With another payload, or on another
                 *     operation, it gets 409. A refused call leaves the key free (A2.7).
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RuleRequest"];
            };
        };
        responses: {
            /** @description The rule. */
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
                    "application/json": components["schemas"]["Rule"];
                };
            };
            400: components["responses"]["BadKeyedRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    getRule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The rule's `id`, which is unique across both kinds (D10). */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rule. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Rule"];
                };
            };
            400: components["responses"]["BadParameter"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteRule: {
        parameters: {
            query?: never;
            header?: {
                /** @description Optional. If sent, it works as on operations that require it. */
                "Idempotency-Key"?: components["parameters"]["OptionalIdempotencyKey"];
            };
            path: {
                /** @description The rule's `id`, which is unique across both kinds (D10). */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rule was deleted. */
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
                    "application/json": components["schemas"]["Deleted"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateRule: {
        parameters: {
            query?: never;
            header?: {
                /** @description Optional. If sent, it works as on operations that require it. */
                "Idempotency-Key"?: components["parameters"]["OptionalIdempotencyKey"];
            };
            path: {
                /** @description The rule's `id`, which is unique across both kinds (D10). */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RulePatch"];
            };
        };
        responses: {
            /** @description The rule as it is now. */
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
                    "application/json": components["schemas"]["Rule"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    previewRule: {
        parameters: {
            query?: {
                /** @description The kind of rules. */
                kind?: components["parameters"]["Kind"];
            };
            header?: never;
            path: {
                /** @description The rule's `id`, which is unique across both kinds (D10). */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The sends that are due. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RulePreview"];
                };
            };
            400: components["responses"]["BadParameter"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["ProviderUnavailable"];
        };
    };
    evaluateRules: {
        parameters: {
            query?: {
                /**
                 * @description The kind of rules. `hr` if neither this nor the body's `kind` is given. If both are, they must be equal, else
                 *     the call gets 422 (D10). There is no `default` here, because the body's `kind` counts as well.
                 */
                kind?: components["parameters"]["RequestedKind"];
            };
            header: {
                /**
                 * @description 1 to 128 printable characters, chosen by you, one for each intended effect. The same key with the same payload
                 *     replays the first 2xx response for 24 hours of the world's time (A3.2). With another payload, or on another
                 *     operation, it gets 409. A refused call leaves the key free (A2.7).
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["EvaluationRequest"];
            };
        };
        responses: {
            /** @description The result. */
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
                    "application/json": components["schemas"]["RuleEvaluation"];
                };
            };
            400: components["responses"]["BadKeyedRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["ProviderUnavailable"];
        };
    };
    createSandboxEvent: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description 1 to 128 printable characters, chosen by you, one for each intended effect. The same key with the same payload
                 *     replays the first 2xx response for 24 hours of the world's time (A3.2). With another payload, or on another
                 *     operation, it gets 409. A refused call leaves the key free (A2.7).
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SandboxEventRequest"];
            };
        };
        responses: {
            /** @description The event and the record's new status. */
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
                    "application/json": components["schemas"]["SandboxEvent"];
                };
            };
            400: components["responses"]["BadKeyedRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenLive"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["StateConflict"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    getStatement: {
        parameters: {
            query?: {
                /** @description JSON or PDF. */
                format?: "json" | "pdf";
            };
            header?: never;
            path: {
                /** @description `YYYY-MM`. There is no pattern here, because a malformed month gets 400 and not 404 like a malformed id. */
                month: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The statement. */
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
                    "application/json": components["schemas"]["Statement"];
                    "application/pdf": unknown;
                };
            };
            400: components["responses"]["BadParameter"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    getStore: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The store. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Store"];
                };
            };
            400: components["responses"]["BadParameter"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    createStoreOrder: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description 1 to 128 printable characters, chosen by you, one for each intended effect. The same key with the same payload
                 *     replays the first 2xx response for 24 hours of the world's time (A3.2). With another payload, or on another
                 *     operation, it gets 409. A refused call leaves the key free (A2.7).
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["StoreOrderRequest"];
            };
        };
        responses: {
            /** @description The order. */
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
                    "application/json": components["schemas"]["TeamOrder"];
                };
            };
            400: components["responses"]["BadKeyedRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    quoteStoreOrder: {
        parameters: {
            query?: never;
            header?: {
                /** @description Optional. If sent, it works as on operations that require it. */
                "Idempotency-Key"?: components["parameters"]["OptionalIdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["StoreOrderRequest"];
            };
        };
        responses: {
            /** @description The price. */
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
                    "application/json": components["schemas"]["Quote"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    createTaxCertificate: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description 1 to 128 printable characters, chosen by you, one for each intended effect. The same key with the same payload
                 *     replays the first 2xx response for 24 hours of the world's time (A3.2). With another payload, or on another
                 *     operation, it gets 409. A refused call leaves the key free (A2.7).
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TaxCertificateRequest"];
            };
        };
        responses: {
            /** @description The certificate, pending. */
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
                    "application/json": components["schemas"]["TaxCertificate"];
                };
            };
            400: components["responses"]["BadKeyedRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenRole"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    getTeam: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The team. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Team"];
                };
            };
            400: components["responses"]["BadParameter"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    listTeamOrders: {
        parameters: {
            query?: {
                /**
                 * @description `next_cursor` of the previous page, with the same filters. `limit` may change (A7.14). Any other value gets
                 *     `invalid_cursor`.
                 */
                cursor?: components["parameters"]["Cursor"];
                /** @description The maximum number of rows. A value out of bounds is refused (A2.4). */
                limit?: components["parameters"]["Limit"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of team orders. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TeamOrderPage"];
                };
            };
            400: components["responses"]["BadPage"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    createTeamOrder: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description 1 to 128 printable characters, chosen by you, one for each intended effect. The same key with the same payload
                 *     replays the first 2xx response for 24 hours of the world's time (A3.2). With another payload, or on another
                 *     operation, it gets 409. A refused call leaves the key free (A2.7).
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TeamOrderRequest"];
            };
        };
        responses: {
            /** @description The order. */
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
                    "application/json": components["schemas"]["TeamOrder"];
                };
            };
            400: components["responses"]["BadKeyedRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Unpayable"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    getTeamOrder: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The order's `id`, which is also its `campaign_id` (A7.2). */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The order. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TeamOrder"];
                };
            };
            400: components["responses"]["BadParameter"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateTeamOrder: {
        parameters: {
            query?: never;
            header?: {
                /** @description Optional. If sent, it works as on operations that require it. */
                "Idempotency-Key"?: components["parameters"]["OptionalIdempotencyKey"];
            };
            path: {
                /** @description The order's `id`, which is also its `campaign_id` (A7.2). */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TeamOrderPatch"];
            };
        };
        responses: {
            /** @description The order as it is now. */
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
                    "application/json": components["schemas"]["TeamOrder"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["StateConflict"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    cancelTeamOrder: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description 1 to 128 printable characters, chosen by you, one for each intended effect. The same key with the same payload
                 *     replays the first 2xx response for 24 hours of the world's time (A3.2). With another payload, or on another
                 *     operation, it gets 409. A refused call leaves the key free (A2.7).
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The order's `id`, which is also its `campaign_id` (A7.2). */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CancelRequest"];
            };
        };
        responses: {
            /** @description The order, canceled. */
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
                    "application/json": components["schemas"]["TeamOrder"];
                };
            };
            400: components["responses"]["BadKeyedRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["StateConflict"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    getTeamOrderManifest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The order's `id`, which is also its `campaign_id` (A7.2). */
                id: string;
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
            400: components["responses"]["BadParameter"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    listProofs: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The order's `campaign_id`, or the large campaign's `id`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The proofs. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProofPage"];
                };
            };
            400: components["responses"]["BadParameter"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    requestApproval: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description 1 to 128 printable characters, chosen by you, one for each intended effect. The same key with the same payload
                 *     replays the first 2xx response for 24 hours of the world's time (A3.2). With another payload, or on another
                 *     operation, it gets 409. A refused call leaves the key free (A2.7).
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The order's `id`, which is also its `campaign_id` (A7.2). */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ApprovalRequest"];
            };
        };
        responses: {
            /** @description The pending approval. */
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
                    "application/json": components["schemas"]["Approval"];
                };
            };
            400: components["responses"]["BadKeyedRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["StateConflict"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    quoteTeamOrder: {
        parameters: {
            query?: never;
            header?: {
                /** @description Optional. If sent, it works as on operations that require it. */
                "Idempotency-Key"?: components["parameters"]["OptionalIdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["QuoteRequest"];
            };
        };
        responses: {
            /** @description The price. */
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
                    "application/json": components["schemas"]["Quote"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    listTemplates: {
        parameters: {
            query?: {
                /**
                 * @description `next_cursor` of the previous page, with the same filters. `limit` may change (A7.14). Any other value gets
                 *     `invalid_cursor`.
                 */
                cursor?: components["parameters"]["Cursor"];
                /** @description The maximum number of rows. A value out of bounds is refused (A2.4). */
                limit?: components["parameters"]["Limit"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of templates. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TemplatePage"];
                };
            };
            400: components["responses"]["BadPage"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    createTemplate: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description 1 to 128 printable characters, chosen by you, one for each intended effect. The same key with the same payload
                 *     replays the first 2xx response for 24 hours of the world's time (A3.2). With another payload, or on another
                 *     operation, it gets 409. A refused call leaves the key free (A2.7).
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TemplateRequest"];
            };
        };
        responses: {
            /** @description The template. */
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
                    "application/json": components["schemas"]["Template"];
                };
            };
            400: components["responses"]["BadKeyedRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    getTemplate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The template's `id`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The template. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Template"];
                };
            };
            400: components["responses"]["BadParameter"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    replaceTemplate: {
        parameters: {
            query?: never;
            header?: {
                /** @description Optional. If sent, it works as on operations that require it. */
                "Idempotency-Key"?: components["parameters"]["OptionalIdempotencyKey"];
            };
            path: {
                /** @description The template's `id`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TemplateReplacement"];
            };
        };
        responses: {
            /** @description The template as it is now. */
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
                    "application/json": components["schemas"]["Template"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["StaleRevision"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteTemplate: {
        parameters: {
            query?: never;
            header?: {
                /** @description Optional. If sent, it works as on operations that require it. */
                "Idempotency-Key"?: components["parameters"]["OptionalIdempotencyKey"];
            };
            path: {
                /** @description The template's `id`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TemplateDeletion"];
            };
        };
        responses: {
            /** @description The template was deleted. */
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
                    "application/json": components["schemas"]["Deleted"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["StaleRevision"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    useTemplate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The template's `id`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The input. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TemplateUse"];
                };
            };
            400: components["responses"]["BadParameter"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    listWebhooks: {
        parameters: {
            query?: {
                /**
                 * @description `next_cursor` of the previous page, with the same filters. `limit` may change (A7.14). Any other value gets
                 *     `invalid_cursor`.
                 */
                cursor?: components["parameters"]["Cursor"];
                /** @description The maximum number of rows. A value out of bounds is refused (A2.4). */
                limit?: components["parameters"]["Limit"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of subscriptions. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookPage"];
                };
            };
            400: components["responses"]["BadPage"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Optional. If sent, it works as on operations that require it. */
                "Idempotency-Key"?: components["parameters"]["OptionalIdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookRequest"];
            };
        };
        responses: {
            /** @description The subscription with its secret, which is shown only once. */
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
                    "application/json": components["schemas"]["WebhookCreated"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["TooManyWebhooks"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["WebhooksUnavailable"];
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Optional. If sent, it works as on operations that require it. */
                "Idempotency-Key"?: components["parameters"]["OptionalIdempotencyKey"];
            };
            path: {
                /** @description The subscription's `id`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The subscription was deleted. */
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
                    "application/json": components["schemas"]["Deleted"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    testWebhook: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description 1 to 128 printable characters, chosen by you, one for each intended effect. The same key with the same payload
                 *     replays the first 2xx response for 24 hours of the world's time (A3.2). With another payload, or on another
                 *     operation, it gets 409. A refused call leaves the key free (A2.7).
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The subscription's `id`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookTestRequest"];
            };
        };
        responses: {
            /** @description The delivery is queued. */
            202: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookTest"];
                };
            };
            400: components["responses"]["BadKeyedRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["WebhooksUnavailable"];
        };
    };
    approvalDecided: {
        parameters: {
            query?: never;
            header: {
                /** @description The event type, equal to the body's `type`. */
                "X-Service-Event": string;
                /** @description The event's id, equal to the body's `id`. */
                "X-Service-Event-Id": string;
                /**
                 * @description `v1` is the hex HMAC-SHA256 of `<t>.<raw body>` with the subscription's whole secret. `t` is the time of
                 *     this attempt in Unix seconds (A6.4). Compare in constant time, and refuse timestamps older than 300 seconds.
                 */
                "X-Service-Signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ApprovalEvent"];
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
    approvalRequested: {
        parameters: {
            query?: never;
            header: {
                /** @description The event type, equal to the body's `type`. */
                "X-Service-Event": string;
                /** @description The event's id, equal to the body's `id`. */
                "X-Service-Event-Id": string;
                /**
                 * @description `v1` is the hex HMAC-SHA256 of `<t>.<raw body>` with the subscription's whole secret. `t` is the time of
                 *     this attempt in Unix seconds (A6.4). Compare in constant time, and refuse timestamps older than 300 seconds.
                 */
                "X-Service-Signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ApprovalEvent"];
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
    balanceLow: {
        parameters: {
            query?: never;
            header: {
                /** @description The event type, equal to the body's `type`. */
                "X-Service-Event": string;
                /** @description The event's id, equal to the body's `id`. */
                "X-Service-Event-Id": string;
                /**
                 * @description `v1` is the hex HMAC-SHA256 of `<t>.<raw body>` with the subscription's whole secret. `t` is the time of
                 *     this attempt in Unix seconds (A6.4). Compare in constant time, and refuse timestamps older than 300 seconds.
                 */
                "X-Service-Signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BalanceEvent"];
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
    giftClaimed: {
        parameters: {
            query?: never;
            header: {
                /** @description The event type, equal to the body's `type`. */
                "X-Service-Event": string;
                /** @description The event's id, equal to the body's `id`. */
                "X-Service-Event-Id": string;
                /**
                 * @description `v1` is the hex HMAC-SHA256 of `<t>.<raw body>` with the subscription's whole secret. `t` is the time of
                 *     this attempt in Unix seconds (A6.4). Compare in constant time, and refuse timestamps older than 300 seconds.
                 */
                "X-Service-Signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["GiftEvent"];
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
    giftDelivered: {
        parameters: {
            query?: never;
            header: {
                /** @description The event type, equal to the body's `type`. */
                "X-Service-Event": string;
                /** @description The event's id, equal to the body's `id`. */
                "X-Service-Event-Id": string;
                /**
                 * @description `v1` is the hex HMAC-SHA256 of `<t>.<raw body>` with the subscription's whole secret. `t` is the time of
                 *     this attempt in Unix seconds (A6.4). Compare in constant time, and refuse timestamps older than 300 seconds.
                 */
                "X-Service-Signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["GiftEvent"];
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
    giftSent: {
        parameters: {
            query?: never;
            header: {
                /** @description The event type, equal to the body's `type`. */
                "X-Service-Event": string;
                /** @description The event's id, equal to the body's `id`. */
                "X-Service-Event-Id": string;
                /**
                 * @description `v1` is the hex HMAC-SHA256 of `<t>.<raw body>` with the subscription's whole secret. `t` is the time of
                 *     this attempt in Unix seconds (A6.4). Compare in constant time, and refuse timestamps older than 300 seconds.
                 */
                "X-Service-Signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["GiftEvent"];
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
    giftShipped: {
        parameters: {
            query?: never;
            header: {
                /** @description The event type, equal to the body's `type`. */
                "X-Service-Event": string;
                /** @description The event's id, equal to the body's `id`. */
                "X-Service-Event-Id": string;
                /**
                 * @description `v1` is the hex HMAC-SHA256 of `<t>.<raw body>` with the subscription's whole secret. `t` is the time of
                 *     this attempt in Unix seconds (A6.4). Compare in constant time, and refuse timestamps older than 300 seconds.
                 */
                "X-Service-Signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["GiftEvent"];
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
    invoiceIssued: {
        parameters: {
            query?: never;
            header: {
                /** @description The event type, equal to the body's `type`. */
                "X-Service-Event": string;
                /** @description The event's id, equal to the body's `id`. */
                "X-Service-Event-Id": string;
                /**
                 * @description `v1` is the hex HMAC-SHA256 of `<t>.<raw body>` with the subscription's whole secret. `t` is the time of
                 *     this attempt in Unix seconds (A6.4). Compare in constant time, and refuse timestamps older than 300 seconds.
                 */
                "X-Service-Signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["InvoiceEvent"];
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
    invoicePaid: {
        parameters: {
            query?: never;
            header: {
                /** @description The event type, equal to the body's `type`. */
                "X-Service-Event": string;
                /** @description The event's id, equal to the body's `id`. */
                "X-Service-Event-Id": string;
                /**
                 * @description `v1` is the hex HMAC-SHA256 of `<t>.<raw body>` with the subscription's whole secret. `t` is the time of
                 *     this attempt in Unix seconds (A6.4). Compare in constant time, and refuse timestamps older than 300 seconds.
                 */
                "X-Service-Signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["InvoiceEvent"];
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
                 * @description `v1` is the hex HMAC-SHA256 of `<t>.<raw body>` with the subscription's whole secret. `t` is the time of
                 *     this attempt in Unix seconds (A6.4). Compare in constant time, and refuse timestamps older than 300 seconds.
                 */
                "X-Service-Signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TeamOrderEvent"];
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
                 * @description `v1` is the hex HMAC-SHA256 of `<t>.<raw body>` with the subscription's whole secret. `t` is the time of
                 *     this attempt in Unix seconds (A6.4). Compare in constant time, and refuse timestamps older than 300 seconds.
                 */
                "X-Service-Signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TeamOrderEvent"];
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
    webhookTest: {
        parameters: {
            query?: never;
            header: {
                /** @description The event type, equal to the body's `type`. */
                "X-Service-Event": string;
                /** @description The event's id, equal to the body's `id`. */
                "X-Service-Event-Id": string;
                /**
                 * @description `v1` is the hex HMAC-SHA256 of `<t>.<raw body>` with the subscription's whole secret. `t` is the time of
                 *     this attempt in Unix seconds (A6.4). Compare in constant time, and refuse timestamps older than 300 seconds.
                 */
                "X-Service-Signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TestEvent"];
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
