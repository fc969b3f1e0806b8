/** The museum contract as types. Generated: `npm run generate` renews this file. */

export interface paths {
    "/museum-hours": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List upcoming opening hours
         * @description Open days with their hours, starting at `startDate`. Days on which the museum is closed are left out (C3). Hours
         *     are published for 366 days from `startDate`; a page past the end is an empty list.
         */
        get: operations["getMuseumHours"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/special-events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List upcoming special events
         * @description Events with at least one date from `startDate` to `endDate`, both inclusive, ordered by the soonest of these
         *     dates and then by creation (C4). A page past the end is an empty list.
         */
        get: operations["listSpecialEvents"];
        put?: never;
        /**
         * Create a special event
         * @description All members are required (C2). Past dates and an empty list of dates are accepted, but such an event is not
         *     listed as upcoming.
         */
        post: operations["createSpecialEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/special-events/{eventId}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id returned by `POST /special-events`. Text that is not a UUID gets 400. */
                eventId: components["parameters"]["EventId"];
            };
            cookie?: never;
        };
        /** Read a special event */
        get: operations["getSpecialEvent"];
        put?: never;
        post?: never;
        /**
         * Cancel a special event
         * @description The event can no longer be read and is no longer listed. Tickets sold for it keep their QR codes (C8).
         */
        delete: operations["deleteSpecialEvent"];
        options?: never;
        head?: never;
        /**
         * Change a special event
         * @description Only the members sent are changed, so `{}` changes nothing. Returns the whole event.
         */
        patch: operations["updateSpecialEvent"];
        trace?: never;
    };
    "/tickets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Buy a ticket
         * @description For general entry, or for a special event with its `eventId`. A `general` ticket may have an `eventId`, which
         *     must then exist (C9). `phone` is accepted and not stored (C10). With the setting `museum.strict_dates` on, a
         *     past or closed day, or a day without the event, gets 400 (C7).
         */
        post: operations["buyMuseumTickets"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tickets/{ticketId}/qr": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id returned by `POST /tickets`. Text that is not a UUID gets 400. */
                ticketId: string;
            };
            cookie?: never;
        };
        /**
         * Read a ticket's QR code
         * @description A PNG of at least 200 by 200 pixels, including its quiet zone. It contains
         *     `museum-ticket:{ticketId}:{confirmationCode}`, and its bytes are the same each time (C6).
         */
        get: operations["getTicketCode"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** Format: date */
        Date: string;
        MuseumHours: components["schemas"]["OpenDay"][];
        OpenDay: {
            date: components["schemas"]["Date"];
            timeClose: components["schemas"]["Time"];
            timeOpen: components["schemas"]["Time"];
        };
        /**
         * Format: float
         * @description In the museum's currency. 0 for a free event.
         */
        Price: number;
        Problem: {
            /** @description Every error, for people to read. */
            title: string;
            /** @description The error's code, as in the table of errors. */
            type: string;
        };
        SpecialEvent: {
            /** @description The days of the event, in the order in which they were sent. */
            dates: components["schemas"]["Date"][];
            eventDescription: string;
            eventId: components["schemas"]["Uuid"];
            location: string;
            name: string;
            price: components["schemas"]["Price"];
        };
        SpecialEventPatch: {
            /** @description The days of the event, in the order in which they were sent. */
            dates?: components["schemas"]["Date"][];
            eventDescription?: string;
            location?: string;
            name?: string;
            price?: components["schemas"]["Price"];
        };
        SpecialEventRequest: {
            /** @description The days of the event, in the order in which they were sent. */
            dates: components["schemas"]["Date"][];
            eventDescription: string;
            location: string;
            name: string;
            price: components["schemas"]["Price"];
        };
        Ticket: {
            confirmationCode: string;
            message: string;
            ticketDate: components["schemas"]["Date"];
            ticketId: components["schemas"]["Uuid"];
            ticketType: components["schemas"]["TicketType"];
        };
        TicketRequest: {
            /**
             * Format: email
             * @description Required, unless the setting `museum.email_required` is off (C13). Never returned. Blanks at either end are ignored.
             */
            email: string;
            /**
             * Format: uuid
             * @description Required when `ticketType` is `event`.
             */
            eventId?: string;
            /** @description Accepted and not stored (C10). */
            phone?: unknown;
            ticketDate: components["schemas"]["Date"];
            ticketType: components["schemas"]["TicketType"];
        };
        /** @enum {string} */
        TicketType: "event" | "general";
        /** @description Hours and minutes on a 24-hour clock. */
        Time: string;
        /** Format: uuid */
        Uuid: string;
    };
    responses: never;
    parameters: {
        /** @description The id returned by `POST /special-events`. Text that is not a UUID gets 400. */
        EventId: string;
        /** @description The maximum number of entries on a page. */
        Limit: number;
        /** @description The page number, from 1. */
        Page: number;
        /** @description The first day. By default today, by the world's clock. */
        StartDate: string;
    };
    requestBodies: never;
    headers: {
        /** @description Sent with every 401 (C5). */
        "WWW-Authenticate": "Basic realm=\"museum\"";
        /** @description The call's id, new on every response. */
        "X-Request-Id": string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getMuseumHours: {
        parameters: {
            query?: {
                /** @description The maximum number of entries on a page. */
                limit?: components["parameters"]["Limit"];
                /** @description The page number, from 1. */
                page?: components["parameters"]["Page"];
                /** @description The first day. By default today, by the world's clock. */
                startDate?: components["parameters"]["StartDate"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of open days, soonest first. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MuseumHours"];
                };
            };
            /** @description The request is invalid. `title` lists every error. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The credentials are missing, or not those of this world. */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Declared by the public description. Here only a fault can cause it. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listSpecialEvents: {
        parameters: {
            query?: {
                /**
                 * @description The last day, not before `startDate`. By default 7 days after `startDate`; the setting
                 *     `museum.default_window_days` changes the number, and null removes the limit (C4).
                 */
                endDate?: string;
                /** @description The maximum number of entries on a page. */
                limit?: components["parameters"]["Limit"];
                /** @description The page number, from 1. */
                page?: components["parameters"]["Page"];
                /** @description The first day. By default today, by the world's clock. */
                startDate?: components["parameters"]["StartDate"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of events, soonest first. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SpecialEvent"][];
                };
            };
            /** @description The request is invalid. `title` lists every error. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The credentials are missing, or not those of this world. */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Declared by the public description. Here only a fault can cause it. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createSpecialEvent: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SpecialEventRequest"];
            };
        };
        responses: {
            /** @description The event is created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SpecialEvent"];
                };
            };
            /** @description The request is invalid. `title` lists every error. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The credentials are missing, or not those of this world. */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Declared by the public description. Here only a fault can cause it. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getSpecialEvent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id returned by `POST /special-events`. Text that is not a UUID gets 400. */
                eventId: components["parameters"]["EventId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The event. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SpecialEvent"];
                };
            };
            /** @description The request is invalid. `title` lists every error. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The credentials are missing, or not those of this world. */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The event does not exist, or it was canceled. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteSpecialEvent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id returned by `POST /special-events`. Text that is not a UUID gets 400. */
                eventId: components["parameters"]["EventId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The event was canceled. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request is invalid. `title` lists every error. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The credentials are missing, or not those of this world. */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The event does not exist, or it was canceled. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    updateSpecialEvent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id returned by `POST /special-events`. Text that is not a UUID gets 400. */
                eventId: components["parameters"]["EventId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SpecialEventPatch"];
            };
        };
        responses: {
            /** @description The event as it is now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SpecialEvent"];
                };
            };
            /** @description The request is invalid. `title` lists every error. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The credentials are missing, or not those of this world. */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The event does not exist, or it was canceled. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    buyMuseumTickets: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TicketRequest"];
            };
        };
        responses: {
            /** @description The ticket was sold. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Ticket"];
                };
            };
            /** @description The request is invalid. `title` lists every error. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The credentials are missing, or not those of this world. */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No special event has this `eventId` (G39). Nothing was sold. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getTicketCode: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id returned by `POST /tickets`. Text that is not a UUID gets 400. */
                ticketId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The image. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "image/png": string;
                };
            };
            /** @description The request is invalid. `title` lists every error. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The credentials are missing, or not those of this world. */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The ticket does not exist. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
}
