/** The control contract as types. Generated: `npm run generate` renews this file. */

export interface paths {
    "/coverage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Report what apps have met of the service in all worlds together
         * @description Worlds that were deleted count from their first question about coverage on. All worlds count from their
         *     beginning if the simulator was started with `serve --coverage`.
         */
        get: operations["getWholeCoverage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/fixtures": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the fixtures that a world can start with, with one sentence each */
        get: operations["listFixtures"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Check whether the simulator is ready */
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/machines": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the state machines, with the meaning and the sources of each transition */
        get: operations["listMachines"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/reference/errors": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the errors of the interfaces, with their causes
         * @description You can cause every error: `cause` says how.
         */
        get: operations["listErrors"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/reference/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the kinds of webhook events
         * @description These are the events that endpoints subscribe to.
         */
        get: operations["listEventTypes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/reference/magic_values": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the magic values, with their effects
         * @description A value takes effect in the place that `found_in` names, in every world.
         */
        get: operations["listMagicValues"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/reference/routes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the operations of all interfaces
         * @description The list includes the test-control API.
         */
        get: operations["listRoutes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/reference/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the settings of worlds, with their meanings
         * @description `GET /worlds/{w}/settings` returns the values of a world.
         */
        get: operations["listSettings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/scenarios": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the scenario library
         * @description The scenarios of the package, by folder and by the question that each answers. Then those of the folder that the
         *     simulator was started with (`own`). `q` searches names, titles, questions and purposes.
         */
        get: operations["listScenarios"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/scenarios/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        /**
         * Read a scenario of the library
         * @description The text of the scenario and of the files that it includes, and its steps with loops and includes expanded.
         *     `error` says why it cannot be played.
         */
        get: operations["getLibraryScenario"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/scenarios/play": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Play a scenario in a new world */
        post: operations["playScenario"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/scenarios/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the stepping sessions */
        get: operations["listScenarioSessions"];
        put?: never;
        /**
         * Start to play a scenario step by step
         * @description The body is the scenario as YAML. Without a body, `name` names a scenario of the library. The session has its
         *     own world, in which no step has been played yet. At most 20 sessions exist at a time. A session ends with its
         *     world.
         */
        post: operations["createScenarioSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/scenarios/sessions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        /** Read a session with its steps */
        get: operations["getScenarioSession"];
        put?: never;
        post?: never;
        /**
         * End a session after the step in progress
         * @description Its world and the forks are deleted too, unless `keep` is set.
         */
        delete: operations["deleteScenarioSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/scenarios/sessions/{id}/step": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Play the next steps of a session
         * @description Plays the next step, the next `count` steps, or all remaining ones. A step inside another one is played with it.
         *     After a step fails, the session is over, but you can still inspect its world.
         */
        post: operations["stepScenarioSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/statements": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the statements of the service's documents, with the tests that show them, and the decisions
         * @description Each statement has the tests that show it, with their last outcomes in the checkout from which the simulator
         *     runs; `outcome` is null if none is known. Each decision has its settings, and `basis` says how sure it is.
         *     Parameters filter the entries, and `summary` counts the matching entries of all pages.
         */
        get: operations["listStatements"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/worlds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List all worlds in order of creation
         * @description If several processes share an address, the list has the worlds of one process, which `process` names.
         */
        get: operations["listWorlds"];
        put?: never;
        /**
         * Create a world
         * @description An empty body creates a world from the fixture `default` with seed 1 and a stopped clock at
         *     `2027-01-04T09:00:00Z`. With `ttl` the world is deleted after that many idle real seconds. With `trace` and `at`
         *     it is a world as it was after an entry of a trace.
         */
        post: operations["createWorld"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/worlds/{w}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        /** Read a world with its credentials */
        get: operations["getWorld"];
        put?: never;
        post?: never;
        /**
         * Delete a world
         * @description An advance in progress in the world ends with 409 `world_gone`. The default world cannot be deleted.
         */
        delete: operations["deleteWorld"];
        options?: never;
        head?: never;
        /**
         * Give a world a name, or take it away
         * @description The name is for people. It is not part of the world: the event log, recordings, traces and fingerprints do not have
         *     it, and a simulator that is started again has forgotten it (G254).
         */
        patch: operations["renameWorld"];
        trace?: never;
    };
    "/worlds/{w}/accounts": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        /** List every account with its wallet, card, limits and keys */
        get: operations["listAccounts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/worlds/{w}/actors": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        /** List a world's actors with how often each acted, oldest first */
        get: operations["listActors"];
        put?: never;
        /**
         * Add a recipient or an approver who acts on the world's clock
         * @description A recipient claims every link sent to that email or name, with a delay of `claims` after the link became valid.
         *     An approver decides every request of that kind, with a delay of `after`. For links and requests that are already
         *     open the delay starts now. Each act is a timer of the world and does the same as `simulate/claim` with a token,
         *     or `simulate/approval`. An actor for a specific email, name or kind takes precedence over one for `any`, and an
         *     older actor over a younger one. An actor who never acts also prevents others from acting. If the world refuses
         *     an act, `last_refusal` says why.
         */
        post: operations["createActor"];
        /** Delete all actors of a world and cancel their pending acts */
        delete: operations["deleteActors"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/worlds/{w}/actors/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Delete an actor; the next matching one takes over */
        delete: operations["deleteActor"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/worlds/{w}/approvals": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        /** List approval requests and their decisions */
        get: operations["listApprovals"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/worlds/{w}/approvals/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description An approval's id. */
                id: string;
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        /** Read one approval */
        get: operations["getApproval"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/worlds/{w}/calls": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        /**
         * List client calls with their responses, with secrets redacted
         * @description The call log is bounded. `dropped` is the number of older calls that it no longer has. Without `after` the list
         *     starts at the oldest call that is kept; with `order=newest` it ends there. A request for a dropped call gets
         *     409.
         *
         *     `q` searches paths and bodies. `counts` covers all calls that are kept, whatever the filters.
         */
        get: operations["listCalls"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/worlds/{w}/calls/{seq}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                seq: number;
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        /** Read one client call with its response, with secrets redacted */
        get: operations["getCall"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/worlds/{w}/calls/{seq}/effects": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                seq: number;
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        /**
         * Read what one client call changed, with values before and after
         * @description Records, entries of the ledger, timers, events and mail, but not what the clock did afterwards. It is read from
         *     what the event log keeps for undo.
         */
        get: operations["getCallEffects"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/worlds/{w}/calls/{seq}/scenario": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                seq: number;
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        /**
         * Export one client call as a scenario, as the start of a test
         * @description The scenario makes this call alone, in a new world, and expects its status. It does not contain the earlier
         *     calls that this one depends on; `calls/scenario` has everything. Secrets in the path or the body are redacted.
         */
        get: operations["getCallScenario"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/worlds/{w}/calls/scenario": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        /**
         * Export everything done to the world as a scenario that reproduces the same bytes
         * @description Client calls, control calls and time, in order, with each response as it was and the fingerprint at the end.
         *     Replay makes no network calls: scripts give the recorded responses of forwarded webhooks.
         */
        get: operations["getScenario"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/worlds/{w}/campaigns": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        /**
         * List every large campaign of every team
         * @description `q` searches ids, names, contents and messages.
         */
        get: operations["listCampaigns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/worlds/{w}/campaigns/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The public id of a record, of any account or team. */
                id: components["parameters"]["RecordId"];
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        /** Read a large campaign with its batches, recipients, money, timeline and events */
        get: operations["getCampaign"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/worlds/{w}/catalogue": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        /** List every product with its SKUs and variations */
        get: operations["listCatalogue"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/worlds/{w}/certificates": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        /** List the tax certificates of teams */
        get: operations["listCertificates"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/worlds/{w}/changes": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        /**
         * List the changes of a world, wait for the next one, or stream them
         * @description One list of calls, events, deliveries, mail, timers, faults and actions, in the order in which they happened,
         *     numbered from 1. The numbers only grow. To continue, pass `next` as `after`, even if the list is empty.
         *
         *     An undo, a restore or a reset removes changes, and adds a change `rewound` that says so: the changes after its
         *     `to` no longer hold and are no longer listed. The list is bounded. If you ask for changes that were dropped, the
         *     first one is of kind `dropped`. A world that is created again, or recovered from a journal file, numbers its
         *     changes from 1 again. If you then pass a later number, the first change is a `rewound` with `n` 0.
         *
         *     With `wait` the call waits for a change if there is none. With `Accept: text/event-stream` the changes are sent
         *     as server-sent events until the world is deleted: `id` is `n`, `event` is `kind`, and `data` is the change as
         *     JSON. If nothing happens for a while, a comment is sent. At most 256 calls wait or stream at a time. A client in
         *     the simulator's own process gets the list.
         *
         *     Reading has no effect on the world, and does not keep a world with a `ttl` alive.
         */
        get: operations["listChanges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/worlds/{w}/claim_links/{token}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The token at the end of a claim link. */
                token: string;
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        /**
         * Read where a claim link leads, and whether it still works
         * @description `entry` is what `simulate/claim` enters for what is left out, with an address in each country of the gift (G253).
         */
        get: operations["getClaimLink"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/worlds/{w}/clock": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        /** Read the clock */
        get: operations["getClock"];
        /**
         * Run the clock at a rate, or stop it
         * @description The time that has passed is added first, so the clock never goes back.
         */
        put: operations["setClock"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/worlds/{w}/clock/advance": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Advance the clock
         * @description Advance by a duration, to an instant, until the next event, or until nothing is due except timers that repeat
         *     forever. When the call returns, everything due has happened and every delivery of that span was attempted.
         *
         *     `dry_run` advances a copy. It returns what would happen and be delivered if every forwarded receiver returned
         *     200. The world does not change, and nothing leaves the machine. After `max_events` timers it ends early, without
         *     an error: `canceled` is true.
         */
        post: operations["advanceClock"];
        /**
         * End the advance in progress early
         * @description The advance ends after the timer that is firing, or once the delivery that it waits for has its outcome. Its
         *     response has `canceled` and the instant reached. Everything up to that instant has happened, and nothing after
         *     it. Dry runs cannot be canceled.
         */
        delete: operations["cancelAdvance"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/worlds/{w}/contacts": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        /** List the contacts in the CRMs of teams */
        get: operations["listContacts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/worlds/{w}/coverage": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        /**
         * Report what the app has met of the service in the world
         * @description The first question about a world reads what its logs still hold. From then on nothing that was met is lost, also
         *     if it is undone, reset or dropped from a log.
         */
        get: operations["getCoverage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/worlds/{w}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        /**
         * List every delivery attempt in order
         * @description The call waits for attempts in flight. While an advance waits for a held delivery, attempts are returned as they
         *     are, with `outcome` null. Without `after` the list starts at the oldest attempt that is kept. A request for a
         *     dropped one gets 409.
         */
        get: operations["listDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/worlds/{w}/deliveries/{seq}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                seq: number;
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        /**
         * Read one attempt, with its receiver's answer and its signature step by step
         * @description The call does not wait: an attempt in flight has `outcome` null. The world keeps the newest 1,000 answers, the
         *     first 4096 bytes of each. Secrets in them are redacted when they are read. Only forwarded attempts have
         *     `took_ms`.
         */
        get: operations["getDelivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/worlds/{w}/deliveries/{seq}/answer": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                seq: number;
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Respond to a held attempt in place of its receiver
         * @description `{}` gives the receiver's own response: the script entry reserved for this attempt, or its `then`. While the
         *     attempt is held, client calls are served at its instant, and another advance gets 409. A held attempt does not
         *     time out. Replacing or deleting the receiver also answers it.
         */
        post: operations["answerDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/worlds/{w}/deliveries/{seq}/app-answer": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                seq: number;
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Tell what your app answered to a captured attempt that was passed on to it
         * @description Coverage counts an event as received if the app accepted it, and a trace shows the app's answer in place of that
         *     of the receiver that captured the attempt. Nothing in the world changes: the attempt is not sent again.
         */
        post: operations["noteAppAnswer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/worlds/{w}/deliveries/{seq}/request": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                seq: number;
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        /** Read the request of an attempt, for use with your own signature verifier */
        get: operations["getDeliveryRequest"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/worlds/{w}/deliveries/{seq}/resend": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                seq: number;
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resend a delivery, outside its retry schedule
         * @description The response shows the new attempt. Its `outcome` is null while it is in flight to a real receiver.
         */
        post: operations["resendDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/worlds/{w}/deliveries/{seq}/verify": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                seq: number;
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Verify the signature of an attempt with a secret, step by step
         * @description Without `secret`, the endpoint's secret is used. With your app's secret, the response says whether it is the
         *     endpoint's secret, or that of another endpoint. Nothing changes, and no secret is shown or logged.
         */
        post: operations["verifyDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/worlds/{w}/deliveries/held": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        /** List the attempts that a receiver in mode `hold` keeps waiting for a response */
        get: operations["listHeld"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/worlds/{w}/diff": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        /**
         * Compare a world with another one
         * @description Lists the records that differ. Only the other world has the `added` ones, and only this world has the `removed`
         *     ones. `changed` ones show the members that differ. Events, ledger entries, mails and attempts are compared by
         *     content, whatever their order. Credentials, tokens and the ids of worlds do not count as differences.
         *     `settings`, `balances`, `ledger` and the first 100 `events` cover the whole comparison on every page.
         */
        get: operations["diffWorlds"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/worlds/{w}/endpoints": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        /**
         * List every webhook endpoint with its pending and dead deliveries
         * @description `q` looks in the URL and in the events.
         */
        get: operations["listEndpoints"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/worlds/{w}/endpoints/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description An endpoint's id. */
                id: number;
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        /**
         * Read one webhook endpoint, with its secret and how its attempts went
         * @description `history` is about the newest 1,000 attempts of the endpoint that are kept (G250).
         */
        get: operations["getEndpoint"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/worlds/{w}/endpoints/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description An endpoint's id. */
                id: number;
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test event to an endpoint
         * @description Does the same as the owner's own call, `POST /webhooks/{id}/test`, without a key. The response shows the attempt. Its
         *     `outcome` is null while it is in flight to a real receiver (G251).
         */
        post: operations["testEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/worlds/{w}/events": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        /**
         * List webhook events, whether or not anyone subscribed to them
         * @description `q` searches the id, the type and the data. `counts` covers all events, whatever the filters. A page examines at
         *     most 50,000 events. So with filters it may have fewer than `limit` events, or none, and still have a `next`.
         */
        get: operations["listEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/worlds/{w}/events/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The event's id. */
                id: string;
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        /**
         * Read one event, with its attempts and the ones still planned
         * @description For each endpoint that gets the event: the attempts that are kept, and in `planned` when and why the next ones
         *     follow, if every attempt fails. A test of an endpoint is an event without retries; its attempts are in `pings`.
         */
        get: operations["getEvent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/worlds/{w}/faults": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        /** List a world's faults with their hits, oldest first */
        get: operations["listFaults"];
        put?: never;
        /**
         * Inject a fault
         * @description If several faults match a call, the oldest one acts. For a single call, send the same effect as a header on it:
         *     `X-Sim-Fault: NAME[=VALUE]`, with further parameters as in `status=429; retry_after=7`. A header that could not
         *     affect its call is refused. A call held by its header is listed here under its request id until that entry is
         *     deleted. `X-Sim-Fault: webhook=duplicate` affects the deliveries of the events that the call causes.
         */
        post: operations["createFault"];
        /** Delete all faults of a world and release held calls */
        delete: operations["deleteFaults"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/worlds/{w}/faults/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Delete a fault and release the calls it holds */
        delete: operations["deleteFault"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/worlds/{w}/faults/choices": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        /**
         * List the effects and conditions that a fault can have
         * @description The effects with their values, and the operations, credentials, events and hosts that a fault can match. Each
         *     operation has the errors that `status` can return.
         */
        get: operations["listFaultChoices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/worlds/{w}/fingerprint": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        /**
         * Compute a hash of the whole state
         * @description The same seed and the same calls give the same hash in any process. The hash does not cover credentials, the
         *     world's id and the call log. The call waits for deliveries in flight.
         */
        get: operations["getFingerprint"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/worlds/{w}/fork": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a world with the same state and the same future
         * @description The fork has its own credentials and starts without snapshots and with an empty call log. If several processes
         *     share an address, the id of a fork begins with the part of its parent's id before the first `--`.
         */
        post: operations["forkWorld"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/worlds/{w}/gifts": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        /**
         * List every gift send of every team
         * @description `q` searches ids, contents and messages, and names and email addresses of recipients.
         */
        get: operations["listGifts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/worlds/{w}/gifts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The public id of a record, of any account or team. */
                id: components["parameters"]["RecordId"];
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        /** Read a gift send with its recipients, money, timeline and events */
        get: operations["getGift"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/worlds/{w}/invoices": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        /** List the invoices of teams */
        get: operations["listInvoices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/worlds/{w}/invoices/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description An invoice's id. */
                id: string;
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        /** Read one invoice */
        get: operations["getInvoice"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/worlds/{w}/keys": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        /** List keys with how much of their limits is used */
        get: operations["listKeys"];
        put?: never;
        /**
         * Create a key
         * @description Without `account` a partner key gets its own account, with an empty wallet and no card. With `account: {id}` two
         *     keys share an account; with `account: null` the key is bound to no account.
         *
         *     By default a team key is a live key with the role approver, every scope and no ceilings. Only live keys may have
         *     `orders:pay`. The key belongs to the team of the named credentials, or to the one given in `team`.
         */
        post: operations["createKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/worlds/{w}/keys/{key}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A key's full text, or its name in the table of credentials (`partner.prepaid`). */
                key: string;
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        /** Read one key */
        get: operations["getKey"];
        put?: never;
        post?: never;
        /** Revoke a key; every later call with it gets 401 */
        delete: operations["revokeKey"];
        options?: never;
        head?: never;
        /** Change what a key may do */
        patch: operations["changeKey"];
        trace?: never;
    };
    "/worlds/{w}/ledger": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        /** List every movement of money; the postings of an entry add up to zero */
        get: operations["listLedger"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/worlds/{w}/mail": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        /** List the mail that the service would have sent; giftsim sends none of it */
        get: operations["listMail"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/worlds/{w}/mail/{seq}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The mail's number in the list. */
                seq: number;
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        /** Read one mail */
        get: operations["getMail"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/worlds/{w}/mail/{seq}/read": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The mail's number in the list. */
                seq: number;
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        get?: never;
        /**
         * Mark a mail as read
         * @description The mark is not part of the world: the event log, recordings, traces and fingerprints do not have it (G252).
         */
        put: operations["readMail"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/worlds/{w}/moves": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        /**
         * List the moves of a record, with the verb and body of each
         * @description Lists every trigger of the record's machines. Each verb is tried on the world and rolled back, so `why_not` is
         *     the message with which it would be refused now. If no verb makes a move, `why_not` says who does. `steps` are
         *     the transitions that the verb would make, including those on the way to the last one. `states` are the current
         *     states of the machines, each with the number of records in it.
         */
        get: operations["listMoves"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/worlds/{w}/museum/days": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        /** List days of the museum with their hours and special events */
        get: operations["listMuseumDays"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/worlds/{w}/museum/events": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        /** List the special events of the museum */
        get: operations["listMuseumEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/worlds/{w}/museum/tickets": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        /** List the tickets that the museum sold, with the texts of their QR codes */
        get: operations["listMuseumTickets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/worlds/{w}/museum/tickets/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A ticket's id. */
                id: string;
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        /** Read one ticket of the museum */
        get: operations["getMuseumTicket"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/worlds/{w}/orders": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        /**
         * List every team order of every account and team
         * @description `q` searches ids, names, references and PO numbers, and names and email addresses of recipients.
         */
        get: operations["listOrders"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/worlds/{w}/orders/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The public id of a record, of any account or team. */
                id: components["parameters"]["RecordId"];
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        /** Read an order with its recipients, money, timeline and events */
        get: operations["getOrder"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/worlds/{w}/parcels": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        /** List every parcel with its claim link */
        get: operations["listParcels"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/worlds/{w}/payments": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        /** List charges and settlements with their outcomes */
        get: operations["listPayments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/worlds/{w}/people": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        /**
         * List the people on the rosters of teams
         * @description Includes email addresses, which the team API never shows. `q` searches names, departments and email addresses.
         */
        get: operations["listPeople"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/worlds/{w}/previews": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        /** List the previews of artwork on products */
        get: operations["listPreviews"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/worlds/{w}/previews/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A preview's id. */
                id: string;
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        /** Read one preview */
        get: operations["getPreview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/worlds/{w}/proofs": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        /**
         * List the proofs of order items with custom artwork
         * @description A proof has the id of its order item. `waits_for` names its next step; it is null if the proof is signed, or its
         *     order is paid or has ended. `q` searches ids and names of items.
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
    "/worlds/{w}/proofs/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a proof or its order item. */
                id: string;
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        /** Read one proof */
        get: operations["getProof"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/worlds/{w}/receivers": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        /**
         * List how webhook hosts respond
         * @description A host without an entry uses the entry `*`. If there is no such entry, its webhooks are captured and get a 200.
         */
        get: operations["listReceivers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/worlds/{w}/receivers/{host}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A public host name, or `*` for every other host. */
                host: string;
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        get?: never;
        /** Set how a host responds */
        put: operations["putReceiver"];
        post?: never;
        /** Delete a host's entry */
        delete: operations["deleteReceiver"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/worlds/{w}/recipients": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        /**
         * List the recipients of orders, gifts and campaigns
         * @description `q` searches names, companies and email addresses.
         */
        get: operations["listRecipients"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/worlds/{w}/reset": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reset a world to its creation, with an empty call log and no snapshots
         * @description Deliveries in flight are forgotten, and an advance that waits for one ends with 409 `clock_busy`.
         */
        post: operations["resetWorld"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/worlds/{w}/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sign in a member of a team */
        post: operations["createSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/worlds/{w}/settings": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        /** Read all settings by their dotted names */
        get: operations["getSettings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Change settings, all or none */
        patch: operations["changeSettings"];
        trace?: never;
    };
    "/worlds/{w}/simulate": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        /** List the verbs of the outside world with the schemas of their bodies */
        get: operations["listVerbs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/worlds/{w}/simulate/account": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set the money, card and limits of an account
         * @description `wallet_cents` sets the wallet first, then `add_cents` is added.
         */
        post: operations["simulateAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/worlds/{w}/simulate/approval": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Approve or reject an order, gift or campaign of a team's key
         * @description Name the approval by its id, or by its subject. If no approval of that subject is pending, it is requested first,
         *     at current prices. Approving also pays, if the team's balance or terms cover the amount. Large campaigns are
         *     paid batch by batch.
         *
         *     An approval pays the amount that was asked for, or nothing. If prices have changed since (`outdated`), approving
         *     it pays nothing (G57). An order can then be asked about again by `requestApproval`, and a campaign after it is
         *     repriced. For a gift, an approval at the new amount is requested at once, which supersedes this one. Any other
         *     gift that cannot be paid is not approved: the approval stays pending.
         *
         *     `ask` requests an approval, as a member of the team does in the service's own app, and leaves it pending: for
         *     example after one has expired. The `note` is then that of the request.
         */
        post: operations["simulateApproval"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/worlds/{w}/simulate/certificate": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Accept or reject a tax certificate */
        post: operations["simulateCertificate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/worlds/{w}/simulate/claim": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Claim a gift as a recipient, by entering an address
         * @description Name the gift by its link's token, which must still be valid, or by its order, gift or campaign and the recipient.
         *     In the second case an expired link does not matter: the account enters the address, which causes no
         *     `team_order.claimed` (G33). For a gift with a single recipient you can leave the recipient out. Whatever you leave
         *     out is filled in: a valid address in the first country of the order, the first option of every choice, and a
         *     name for an open seat.
         */
        post: operations["simulateClaim"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/worlds/{w}/simulate/claim_link": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send a new claim link in a new mail; the recipient's status is awaiting address again */
        post: operations["simulateClaimLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/worlds/{w}/simulate/crm": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set a CRM provider's outage, contacts, deals or roster entries
         * @description `outage` and its `message` hold for all teams. Contacts belong to the team of `team_id` or `key`, by default
         *     that of the named credentials. `people` go to that team's live roster, or to the roster of the given test key.
         */
        post: operations["simulateCrm"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/worlds/{w}/simulate/file": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set the content type and size of a file at a URL
         * @description For artwork and tax certificates, which are registered by URL and never downloaded. Without an entry the
         *     extension of the URL decides, and the size is 0.
         */
        post: operations["simulateFile"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/worlds/{w}/simulate/invoice": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pay an invoice as a team's bank
         * @description The amount bought on terms is no longer owed. A deposit pays its order if it covers the order's current total.
         *     Any remainder goes to the balance, and so does the whole deposit if the order can no longer be paid.
         */
        post: operations["simulateInvoice"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/worlds/{w}/simulate/outcome": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set the outcome of a charge
         * @description Name the charge by the `idempotency_key` of the create or settlement (and `key`, if several accounts used it) or by
         *     its team order. `key` or `account_id` alone names the settlement of that account.
         */
        post: operations["simulateOutcome"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/worlds/{w}/simulate/payment": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set the outcome of a team's payment to settled, failed or unknown
         * @description Name the payment by its id, or by its team order or gift if that one has a payment without an outcome. A
         *     reserved or uncertain payment, or a pending ACH intent, settles or fails. An `uncertain` payment counts as spent
         *     until its outcome is set again.
         */
        post: operations["simulatePayment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/worlds/{w}/simulate/personalization": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mark a product's personalization as reviewed, for one account or for all existing ones
         * @description With `reviewed: false` the review is withdrawn: the product cannot be ordered until it is reviewed again. Orders
         *     that exist are not affected. A product whose personalization is not `review_required` needs no review: 409.
         */
        post: operations["simulatePersonalization"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/worlds/{w}/simulate/preview": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Finish the rendering of a preview, or let it fail
         * @description Without this call, a preview is ready after the delay of the setting `previews.render`.
         */
        post: operations["simulatePreview"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/worlds/{w}/simulate/price": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Change the price of a product */
        post: operations["simulatePrice"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/worlds/{w}/simulate/proof": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Approve, refuse or sign a proof as a person of its team
         * @description Decides the current version. `sign` approves it first if nobody has reviewed it yet. A proof without a version
         *     waits for one: its team adds it by `POST /proofs/{id}/versions`.
         */
        post: operations["simulateProof"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/worlds/{w}/simulate/shipment": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Move a parcel to a later stage, including the stages between
         * @description Name the parcel by its order id, or by a recipient of a team order, gift or campaign. Without a recipient, all
         *     parcels that can still reach the stage move. A recipient who has not claimed claims first. Test orders and gifts
         *     move only by sandbox events.
         */
        post: operations["simulateShipment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/worlds/{w}/simulate/single_order": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Ship or deliver an order placed elsewhere, for `order.*` events */
        post: operations["simulateSingleOrder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/worlds/{w}/simulate/team": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set the switches, plan and money of a team
         * @description `api_enabled` is the team's own switch, and `agent_access` that of the account it belongs to. Either of them
         *     disables all the team's keys. A plan applies to the team's keys as well. `balance_cents` sets the balance first;
         *     then `add_cents` is added, which may be negative. A balance that falls below a threshold causes the usual
         *     webhook event.
         */
        post: operations["simulateTeam"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/worlds/{w}/snapshots": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        /** List a world's snapshots in order of creation */
        get: operations["listSnapshots"];
        put?: never;
        /**
         * Save the current state under a name
         * @description A snapshot with the same name is replaced. A world keeps up to 100 snapshots.
         */
        post: operations["saveSnapshot"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/worlds/{w}/snapshots/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Delete a snapshot */
        delete: operations["deleteSnapshot"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/worlds/{w}/snapshots/{name}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Restore a snapshot, including clock, timers, deliveries and mail */
        post: operations["restoreSnapshot"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/worlds/{w}/teams": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        /** List every team with its switches, balance and terms */
        get: operations["listTeams"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/worlds/{w}/timers": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        /** List the timers that are due next, in order */
        get: operations["listTimers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/worlds/{w}/titles": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        /**
         * Name orders, gifts and campaigns as people do
         * @description Reads the titles of some records in one call, in the order in which `of` names them. Records that the world does
         *     not have are left out (G240).
         */
        get: operations["listTitles"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/worlds/{w}/trace": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        /**
         * Export everything that happened to the world as one page that opens anywhere
         * @description The page needs no simulator and no network. It holds the recording too, from which a simulator makes the world
         *     again. Keys, webhook secrets, claim links and credentials of others are redacted.
         */
        get: operations["getTrace"];
        put?: never;
        /**
         * Export the same page with what a test knows of it
         * @description The lines that made the calls, and how the test ended. A call is found by the `x-request-id` of its response, or
         *     by its method and path in the order of the calls. The world stays as it is.
         */
        post: operations["makeTrace"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/worlds/{w}/undo": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        /**
         * List what can be undone, newest first
         * @description Lists the client writes: the client calls that changed anything. To undo the write number `n` and everything
         *     after it, undo with `count` = `n`. With `all=true` the list also has control calls, advances, rates of the
         *     clock, and snapshots that were saved, deleted or restored. To undo a row and everything after it, undo with the
         *     row's `to`. `operation` is null for a claim page. `call` is the call's number in the call log, or null if the
         *     call log of this world does not have it. An advance, a rate and a snapshot have no `method`, `path` and
         *     `operation`. With a journal file, a page may end where memory does, and the next page reads the file.
         */
        get: operations["listUndo"];
        put?: never;
        /**
         * Undo the last client write, or everything after a change
         * @description The world returns to its state before the last client write, including clock, timers and deliveries. A second
         *     undo goes one write further back. A write is a client call that changed anything. Later changes by control calls
         *     are lost as well, and so are snapshots taken later.
         *
         *     With `to` the world returns to its state after that change (see `/changes`): calls, actions and advances after
         *     it are undone. A single call or advance is undone as a whole. To undo an action, pass the last change before it.
         *     This also undoes everything that others did afterwards.
         */
        post: operations["undoWorld"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/worlds/{w}/usage": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        /** Count the calls of each credential to each operation, as far back as the call log goes */
        get: operations["getUsage"];
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
        Account: {
            account_id: number;
            billing_mode: components["schemas"]["BillingMode"];
            card: components["schemas"]["Card"];
            card_fallback: boolean;
            credit_limit_cents: number;
            daily_limit_cents: number | null;
            held_cents: number;
            keys: string[];
            label: string;
            limits: components["schemas"]["MoneyLimit"][];
            owed_cents: number;
            /** @description The amount that each key has spent today, by the day in Los Angeles. */
            spent_today_cents: {
                [key: string]: number;
            };
            wallet_cents: number;
        };
        AccountRequest: {
            billing_mode?: components["schemas"]["BillingMode"];
            card?: components["schemas"]["Card"];
            card_fallback?: boolean;
            credit_limit_cents?: components["schemas"]["Cents"];
            daily_limit_cents?: components["schemas"]["CentsOrNull"];
            /** @description An existing account. Allows no other member. */
            id?: number;
            wallet_cents?: components["schemas"]["SignedCents"];
        } | null;
        /**
         * @description An actor, with the members with which it was created. `asked` is the number of links or requests that it
         *     received, and `waiting` the number of its acts that are still pending.
         */
        Actor: {
            acted: number;
            address?: Record<string, never>;
            after?: string;
            approver?: string;
            asked: number;
            claims?: string;
            /** @enum {unknown} */
            decides?: "approve" | "reject" | "never";
            id: string;
            last_acted_at: components["schemas"]["InstantOrNull"];
            last_refusal: {
                at: components["schemas"]["Instant"];
                code: string;
                message: string;
            } | null;
            note?: string;
            recipient?: string;
            refused: number;
            selection?: Record<string, never>;
            waiting: number;
        };
        /** @description A recipient who claims, or an approver who decides. */
        ActorRequest: {
            address?: components["schemas"]["AddressRequest"];
            /**
             * @description How long the decision takes, such as `2h`.
             * @default 0s
             */
            after?: string;
            /**
             * @description The kind of request to decide.
             * @enum {unknown}
             */
            approver?: "any" | "gift" | "team_order" | "campaign";
            /** @description The delay after the link became valid, such as `3d`, or `never`. */
            claims?: string;
            /** @enum {unknown} */
            decides?: "approve" | "reject" | "never";
            id?: string;
            note?: string;
            /** @description An email address, a name or `any`. */
            recipient?: string;
            /** @description Option ids by variation id, for choices the order leaves open. */
            selection?: Record<string, never>;
        };
        AddressRequest: {
            address1?: string | null;
            city?: string | null;
            country?: string | null;
            state?: string | null;
            zip?: string | null;
        };
        Advance: {
            /** @description Whether it ended early, at `to`, because it was canceled, or as a dry run at `max_events`. */
            canceled: boolean;
            /** @description The first 100 records that changed, and when each of them last changed. */
            changed: {
                about: components["schemas"]["Subject"] | null;
                at: components["schemas"]["Instant"];
                kinds: string[];
                subject: string;
            }[];
            /** @description The first 1,000 attempts. */
            deliveries: components["schemas"]["Attempted"][];
            delivery_count: number;
            dry_run: boolean;
            /** @description How many events of each type happened. */
            events_by_type: {
                [key: string]: number;
            };
            /** @description The first 1,000 timers, including the hourly runs. Only with `?fired=true`. */
            fired?: {
                at: components["schemas"]["Instant"];
                kind: string;
                subject: string;
            }[];
            /** @description How many timers of each kind fired, without the hourly runs. */
            fired_by_kind: {
                [key: string]: number;
            };
            /** @description The number of timers that fired, including the hourly runs. */
            fired_count: number;
            from: components["schemas"]["Instant"];
            /** @description How many of `fired_count` are hourly runs. `max_events` bounds the others. */
            hourly_runs: number;
            /** @description The first 100 mails. */
            mail: {
                at: components["schemas"]["Instant"];
                kind: string;
                seq: number;
                subject: string;
                to: string;
            }[];
            mail_count: number;
            next_due: components["schemas"]["Instant"];
            /** @description Real seconds spent on forwarded attempts, slowest host first. */
            slow: {
                cost_s: number;
                host: string;
            }[];
            to: components["schemas"]["Instant"];
        };
        /** @description Exactly one of `by`, `to` and `until`. */
        AdvanceRequest: {
            by?: string;
            /** @default false */
            dry_run?: boolean;
            /** @description How many timers may fire. Hourly runs, which repeat forever, do not count. */
            max_events?: number;
            to?: string;
            until?: string;
        };
        Answered: {
            outcome: string;
            status: number | null;
        };
        Approval: {
            about: components["schemas"]["OrderSubject"];
            amount_cents: number;
            created_at: components["schemas"]["Instant"];
            decided_at: components["schemas"]["InstantOrNull"];
            /** @description The user who decided, or null if the decision named nobody. */
            decided_by: string | null;
            decision_note: string | null;
            expires_at: components["schemas"]["InstantOrNull"];
            id: components["schemas"]["OwnedId"];
            livemode: boolean;
            note: string | null;
            /** @description Whether it is pending at an amount that is no longer the price, so that approving it pays nothing (G57). */
            outdated: boolean;
            resource_id: components["schemas"]["OwnedId"];
            /** @enum {unknown} */
            resource_type: "team_order" | "gift" | "large_campaign";
            /** @enum {unknown} */
            status: "pending" | "approved" | "rejected" | "canceled" | "superseded";
            team_id: number;
        };
        Attempted: {
            at: components["schemas"]["Instant"];
            attempt: number;
            event_id: string;
            outcome: components["schemas"]["Outcome"];
            seq: number;
            status: number | null;
            type: string;
            url: string;
        };
        AttemptSummary: {
            at: components["schemas"]["Instant"];
            attempt: number;
            fault: string | null;
            /** @enum {unknown} */
            mark: "resend" | "duplicate" | "ping" | null;
            outcome: components["schemas"]["Outcome"];
            /** @description The attempt's place in the retry ladder. Null for a resend, a duplicate and a ping. */
            rung: number | null;
            seq: number;
            status: number | null;
        };
        /** @enum {unknown} */
        BillingMode: "prepaid" | "net_terms";
        CallEffects: {
            canceled: components["schemas"]["EffectTimer"][];
            /** @description The records that the call changed, in the order in which it wrote them first. */
            changes: {
                /** @description The values of a new or removed record; of a changed one `[before, after]`. */
                members: {
                    [key: string]: unknown;
                };
                record: {
                    id: number | string;
                    kind: string;
                    label: string | null;
                    /** @description The record under which operations show it. Null if none does. */
                    of: components["schemas"]["RecordSubject"] | null;
                };
                /** @enum {unknown} */
                what: "added" | "changed" | "removed";
            }[];
            events: {
                id: string;
                type: string;
            }[];
            /** @description False if the event log no longer has what the call changed. */
            known: boolean;
            /** @description The new entries of the ledger. */
            ledger: {
                kind: string;
                owner: string;
                /** @description Accounts with their cents, whose sum is 0. */
                postings: (string | number)[][];
                ref: string;
            }[];
            mail: {
                seq: number;
                subject: string;
                to: string;
            }[];
            set: components["schemas"]["EffectTimer"][];
        };
        Campaign: {
            /** @description How many batches have each status. */
            batches: {
                [key: string]: number;
            };
            contents: string;
            created_at: components["schemas"]["Instant"];
            id: components["schemas"]["OwnedId"];
            key: string | null;
            livemode: boolean;
            message: string | null;
            name: string | null;
            recipient_count: number;
            status: components["schemas"]["CampaignStatus"];
            team_id: number;
            title: components["schemas"]["Title"];
            /** @description The total of the batches that are prepared. */
            total_cents: number;
        };
        /** @enum {unknown} */
        CampaignStatus: "preparing" | "awaiting_approval" | "approved" | "completed" | "paused" | "stopped";
        Capabilities: "team_orders"[];
        /** @enum {unknown} */
        Card: "none" | "good" | "declined";
        /** @description What caused it. Null if the event log does not have it, for example for records of a fixture. */
        Cause: {
            /** @description The call's number in the call log. */
            call: number | null;
            /** @enum {unknown} */
            kind: "call" | "verb" | "clock" | "delivery";
            text: string;
        } | null;
        Cents: number;
        CentsOrNull: number | null;
        Certificate: {
            certificate_id: components["schemas"]["OwnedId"];
            content_type: string;
            created_at: components["schemas"]["Instant"];
            livemode: boolean;
            region: string | null;
            reviewed_at: components["schemas"]["InstantOrNull"];
            size_bytes: number;
            /** @enum {unknown} */
            status: "pending_review" | "accepted" | "rejected";
            team_id: number;
            url: string;
        };
        /** @description Something that happened in a world. */
        Change: {
            at: components["schemas"]["Instant"];
            /**
             * @description - `call`: a client call ended, with or without a response
             *     - `claim`: a gift was claimed on its page
             *     - `control`: an action of the test-control API changed the world
             *     - `event`: a webhook event happened
             *     - `delivery`: a webhook was sent, or its outcome is known
             *     - `mail`: the service sent mail
             *     - `fault`: a fault acted on a call or a delivery
             *     - `hold`: a fault holds a call
             *     - `timer`: a timer fired
             *     - `clock`: the clock was advanced, started or stopped
             *     - `snapshot`: a snapshot was saved or deleted
             *     - `rewound`: an undo, a restore or a reset removed changes
             *     - `dropped`: changes were dropped to make room
             * @enum {unknown}
             */
            kind: "call" | "claim" | "control" | "event" | "delivery" | "mail" | "fault" | "hold" | "timer" | "clock" | "snapshot" | "rewound" | "dropped";
            n: number;
            outcome?: components["schemas"]["Outcome"];
            /**
             * @description For `call` and `delivery`: the HTTP status as it is when you read the change; `null` if there is none. A delivery
             *     that is on its way has the `outcome` `null`.
             */
            status?: number | null;
            /** @description The record that changed, if a route shows it. */
            subject: components["schemas"]["Subject"] | null;
            /** @description One sentence about the change. It describes records as they are when you read it. */
            summary: string;
            /** @description For `rewound`: the changes after this number were removed. */
            to?: number;
        };
        ClaimLink: {
            about: components["schemas"]["OrderSubjectOrNull"];
            /** @description What a recipient could enter on its page. Null if it does not work. */
            entry: {
                /** @description One for each country that the gift goes to. */
                addresses: {
                    address1: string;
                    city: string;
                    country: string;
                    state: string | null;
                    zip: string;
                }[];
                /** @description For an open seat. */
                email: string;
                /** @description For an open seat. */
                name: string;
                /** @description Option ids by variation id. */
                selection: {
                    [key: string]: number;
                };
            } | null;
            expires_at: components["schemas"]["InstantOrNull"];
            /** @description Why the link does not work. Null if it does. */
            message: string | null;
            /** @description Whose link it is. Null for a shared link, and for one that a newer link has replaced. */
            recipient: {
                email: string | null;
                name: string | null;
            } | null;
            /** @description Whether it is the link of all open seats. */
            shared: boolean;
            /** @enum {unknown} */
            status: "open" | "used" | "expired" | "canceled" | "unpaid" | "exhausted";
        };
        ClockState: {
            /** @description Whether an advance is in progress. */
            advancing: boolean;
            /** @enum {unknown} */
            mode: "manual" | "running";
            next_due: components["schemas"]["Instant"];
            now: components["schemas"]["Instant"];
            pending: number;
            rate: number | null;
        };
        ComparedWorld: {
            calls: number;
            id: string;
            now: components["schemas"]["Instant"];
            timers: number;
        };
        Contact: {
            /** @description False while the provider is down. */
            available: boolean;
            company: string | null;
            email: string;
            id: string;
            name: string;
            object_type: string;
            provider: string;
            seq: number;
            team_id: number;
            title: string | null;
        };
        /** @enum {unknown} */
        Country: "US" | "CA" | "GB" | "AU" | "DE" | "FR" | "NL" | "IT" | "ES";
        Coverage: {
            areas: {
                clock: components["schemas"]["CoverageArea"];
                errors: components["schemas"]["CoverageArea"];
                events: components["schemas"]["CoverageArea"];
                faults: components["schemas"]["CoverageArea"];
                operations: components["schemas"]["CoverageArea"];
                transitions: components["schemas"]["CoverageArea"];
            };
            details: components["schemas"]["CoverageDetails"];
            met: components["schemas"]["CoverageFacts"];
            /** @description For each missing item, how to meet it. */
            next: components["schemas"]["CoverageStep"][];
            /** @description The version of this format. */
            version: number;
        };
        CoverageArea: {
            /** @description What does not concern the app, because it never called that part or has no permission for it. */
            apart: string[];
            met: string[];
            missing: string[];
            /** @description What was met of what is not apart. */
            percent: number;
        };
        CoverageDetails: {
            /** @description Events that only giftsim accepted in place of the app. */
            captured: string[];
            /** @description By operation. Members are those of the first successful calls of each world. */
            operations: {
                [key: string]: {
                    /** @description Documented ones that were never sent. */
                    missing_parameters: string[];
                    /** @description Documented members that never had a value in an answer. */
                    missing_received: string[];
                    /** @description Documented members that were never sent. */
                    missing_sent: string[];
                    /** @description Query parameters that were sent. */
                    parameters: string[];
                    /** @description Members of answers that had a value. */
                    received: string[];
                    /** @description Members of bodies that were sent. */
                    sent: string[];
                };
            };
            /** @description Endings of records that are seldom, such as a refund. */
            outcomes: {
                met: string[];
                missing: string[];
            };
            retries: components["schemas"]["CoverageRetries"];
            /** @description States that records of the world reached. */
            states: string[];
        };
        /** @description Facts that are merged by adding them up. */
        CoverageFacts: {
            answered: string[];
            captured: string[];
            clock: string[];
            /** @description For each kind of credential that called, its interface and its permissions. */
            credentials: string[][];
            errors: string[];
            events: string[];
            faults: string[];
            interfaces: string[];
            machines: string[];
            operations: string[];
            outcomes: string[];
            parameters: {
                [key: string]: string[];
            };
            received: {
                [key: string]: string[];
            };
            retries: components["schemas"]["CoverageRetries"];
            sent: {
                [key: string]: string[];
            };
            settings: string[];
            subscribed: string[];
            transitions: string[];
            uses: string[];
        };
        /** @description What the app did after each error that may be retried, by operation and error. */
        CoverageRetries: {
            [key: string]: {
                /** @description In seconds of the world's clock. */
                least_delay_s: number | null;
                met: number;
                most_delay_s: number | null;
                other_key: number;
                retried: number;
                /** @description Retries with the same idempotency key. */
                same_key: number;
            };
        };
        CoverageStep: {
            /** @description What produces it: the body of `POST /worlds/{w}/faults`. */
            fault?: string;
            /** @description The name of the missing item. */
            gap: string;
            /** @description A test to paste. */
            pytest: string;
            /** @description What produces it: a scenario of the library. */
            scenario?: string;
            /** @description What produces it: a call of this API below the path of a world, and its body. */
            verb?: string;
            /** @description A test to paste. */
            vitest: string;
            /** @description Why it matters, with what the documents say. */
            why: string;
        };
        /** @description Everything a client needs. `headers` can be sent unchanged. */
        Credential: {
            headers: components["schemas"]["Headers"];
            /** @enum {unknown} */
            type: "bearer" | "session";
            value: string;
        } | {
            headers: components["schemas"]["Headers"];
            password: string;
            /** @constant */
            type: "basic";
            user: string;
        };
        CrmContact: {
            company?: string | null;
            email: components["schemas"]["EmailAddress"];
            id: string;
            name: string;
            /** @default contact */
            object_type?: string;
            title?: string | null;
        };
        Delivery: {
            /** @description The record that the event is about. Null for a balance and for a test. */
            about: components["schemas"]["Subject"] | null;
            at: components["schemas"]["Instant"];
            attempt: number;
            /**
             * @description The current status of the whole delivery (T-6.23). Null for a test, which is attempted only once.
             * @enum {unknown}
             */
            delivery: "pending" | "delivered" | "dead" | "dropped" | null;
            endpoint: number;
            event_id: string;
            /** @description The fault that changed the attempt: its id, or the header of its call. */
            fault: string | null;
            /** @enum {unknown} */
            mark: "resend" | "duplicate" | "ping" | null;
            next_attempt_at: components["schemas"]["InstantOrNull"];
            outcome: components["schemas"]["Outcome"];
            request: components["schemas"]["WebhookRequest"];
            seq: number;
            status: number | null;
            type: string;
            url: string;
        };
        DeliveryDetail: {
            /** @description The record that the event is about. Null for a balance and for a test. */
            about: components["schemas"]["Subject"] | null;
            /** @description The receiver's answer. Null for an empty body, and for one that is not kept. */
            answer: {
                /** @description The beginning of the body as text, secrets redacted. */
                body: string;
                /** @description Whether the body was longer. */
                cut: boolean;
            } | null;
            at: components["schemas"]["Instant"];
            attempt: number;
            /**
             * @description The current status of the whole delivery (T-6.23). Null for a test, which is attempted only once.
             * @enum {unknown}
             */
            delivery: "pending" | "delivered" | "dead" | "dropped" | null;
            endpoint: number;
            event_id: string;
            /** @description The fault that changed the attempt: its id, or the header of its call. */
            fault: string | null;
            /** @enum {unknown} */
            mark: "resend" | "duplicate" | "ping" | null;
            next_attempt_at: components["schemas"]["InstantOrNull"];
            outcome: components["schemas"]["Outcome"];
            request: components["schemas"]["WebhookRequest"];
            /** @description The attempt's place in the retry ladder. Null for a resend, a duplicate and a ping. */
            rung: number | null;
            seq: number;
            signature: components["schemas"]["Signature"];
            status: number | null;
            /** @description Real milliseconds until the answer of a forwarded attempt. */
            took_ms: number | null;
            type: string;
            url: string;
        };
        /** @description A timer that was set or canceled. */
        EffectTimer: {
            about: components["schemas"]["Subject"] | null;
            because: string;
            due: string;
            subject: string;
        };
        /** Format: email */
        EmailAddress: string;
        Endpoint: {
            account_id: number | null;
            created_at: components["schemas"]["Instant"];
            dead: number;
            events: string[];
            id: number;
            key: string | null;
            pending: number;
            /** @enum {unknown} */
            status: "active" | "disabled";
            team_id: number | null;
            url: string;
        };
        EndpointDetail: {
            account_id: number | null;
            created_at: components["schemas"]["Instant"];
            dead: number;
            events: string[];
            /** @description How the endpoint's newest attempts went. */
            history: {
                /** @description Attempts, those in flight included. */
                attempts: number;
                delivered: number;
                failed: number;
                /** @description Each time from a failed attempt until the next one that was delivered. */
                failing: {
                    attempts: number;
                    from: components["schemas"]["Instant"];
                    outcome: components["schemas"]["Outcome"];
                    status: number | null;
                    /** @description Null if none was delivered since. */
                    until: components["schemas"]["InstantOrNull"];
                }[];
                /** @description At most 24 periods of equal length, from the first attempt until now. */
                periods: {
                    delivered: number;
                    failed: number;
                    from: components["schemas"]["Instant"];
                    to: components["schemas"]["Instant"];
                }[];
                since: components["schemas"]["InstantOrNull"];
            };
            host: string;
            id: number;
            key: string | null;
            pending: number;
            /** @description The secret that signs its webhooks. */
            secret: string;
            /** @enum {unknown} */
            status: "active" | "disabled";
            team_id: number | null;
            url: string;
        };
        Error: {
            error: {
                code: string;
                details?: Record<string, never>;
                message: string;
                request_id: string;
            };
        };
        Event: {
            /** @description The record that the event is about. Null for a balance. */
            about: components["schemas"]["Subject"] | null;
            account_id: number | null;
            at: components["schemas"]["Instant"];
            /** @description The endpoints subscribed at that time. */
            audience: number;
            created_at: components["schemas"]["InstantOrNull"];
            /** @description The data that receivers get. Null if no endpoint was subscribed. */
            data: Record<string, never> | null;
            facts: Record<string, never>;
            id: string;
            seq: number;
            status: components["schemas"]["EventStatus"];
            subject: string;
            type: string;
        };
        EventDetail: {
            /** @description The record that the event is about. Null for a balance. */
            about: components["schemas"]["Subject"] | null;
            account_id: number | null;
            at: components["schemas"]["Instant"];
            /** @description The endpoints subscribed at that time. */
            audience: number;
            /** @description The exact body that receivers get. */
            body: string;
            cause: components["schemas"]["Cause"];
            created_at: components["schemas"]["InstantOrNull"];
            /** @description The data that receivers get. Null if no endpoint was subscribed. */
            data: Record<string, never> | null;
            /** @description One for each endpoint. */
            deliveries: {
                attempts: components["schemas"]["AttemptSummary"][];
                created_at: components["schemas"]["InstantOrNull"];
                /**
                 * @description When the last attempt is made. If it fails, the delivery is dead. Null if the delivery can no longer
                 *     fail.
                 */
                dead_at: string | null;
                endpoint: number;
                /** @enum {unknown} */
                endpoint_status: "active" | "disabled";
                /** @description The number of failed attempts. */
                failures: number;
                host: string;
                /** @description The attempts still planned, if every attempt fails. */
                planned: {
                    at: components["schemas"]["InstantOrNull"];
                    because: string;
                    rung: number;
                }[];
                /** @enum {unknown} */
                status: "waiting" | "pending" | "delivered" | "dead" | "dropped";
                url: string;
            }[];
            facts: Record<string, never>;
            id: string;
            pings: components["schemas"]["AttemptSummary"][];
            seq: number;
            status: components["schemas"]["EventStatus"];
            subject: string;
            type: string;
        };
        /**
         * @description The status of an event is the worst of its deliveries. `waiting` means that it waits for the hourly run, and
         *     `dropped` that its endpoint was disabled.
         * @enum {unknown}
         */
        EventStatus: "waiting" | "pending" | "delivered" | "dead" | "dropped" | "unsubscribed";
        Fault: {
            /** @description How many calls or deliveries matched. */
            calls: number;
            effect: components["schemas"]["FaultEffect"];
            /** @description How many calls or deliveries it changed. */
            hits: number;
            id: string;
            match: components["schemas"]["FaultMatch"];
            when: components["schemas"]["FaultWhen"];
        };
        /** @description Exactly one effect, with its further parameters. */
        FaultEffect: {
            /** @enum {unknown} */
            charge?: "insufficient_funds" | "insufficient_funds_no_card" | "credit_limit_exceeded" | "daily_spend_limit_exceeded" | "card_charge_failed";
            /** @description The error code for `status`. */
            code?: string;
            /** @constant */
            crash?: "after_charge";
            /** @description Real seconds, or a range from which the seed chooses. */
            delay_s?: number | {
                from: number;
                to: number;
            };
            /** @enum {unknown} */
            drop?: "before" | "after";
            /**
             * @constant
             * @enum {boolean}
             */
            hold?: true;
            /** @description The `Retry-After` header for `status`. */
            retry_after?: number;
            /** @constant */
            signing_key?: "missing";
            status?: number;
            /** @description Allows a `status` or `code` that the operation does not document. */
            undocumented?: boolean;
            /** @enum {unknown} */
            webhook?: "duplicate" | "reorder" | "bad_signature" | "stale_signature" | "future_signature";
        };
        FaultMatch: {
            credential?: components["schemas"]["KeyName"];
            /** @description For `webhook`: the type of the event. */
            event?: string;
            /** @description For `webhook`: the host of the endpoint. */
            host?: string;
            /** @description team, partner or museum, or `claim` for claim pages. */
            interface?: string;
            /** @description An operationId. */
            operation?: string;
        };
        FaultRequest: {
            effect: components["schemas"]["FaultEffect"];
            id?: string;
            match?: components["schemas"]["FaultMatch"];
            when?: components["schemas"]["FaultWhen"];
        };
        /**
         * @description Selects among the matching calls or deliveries, which are counted from 1. All conditions must hold. A call that
         *     was refused before the fault could act (such as a charge that was never made) does not count.
         */
        FaultWhen: {
            calls?: number[];
            every?: number;
            /** @description Only this many, from the first one on. */
            first?: number;
            /** @description From this instant on. An offset such as `+3d` is allowed. */
            from?: string;
            probability?: number;
            /** @description Before this instant. */
            to?: string;
        };
        Gift: {
            /** @description The collection or item that it was made from; else the names of its items. */
            contents: string;
            created_at: components["schemas"]["Instant"];
            id: components["schemas"]["OwnedId"];
            key: string | null;
            livemode: boolean;
            message: string | null;
            payment_status: string;
            rule_id: components["schemas"]["OwnedIdOrNull"];
            sent_at: components["schemas"]["InstantOrNull"];
            status: components["schemas"]["GiftStatus"];
            summary: {
                [key: string]: number;
            };
            team_id: number;
            title: components["schemas"]["Title"];
            total_cents: number;
        };
        /** @enum {unknown} */
        GiftStatus: "awaiting_approval" | "sent" | "claimed" | "shipped" | "delivered" | "rejected" | "expired" | "canceled";
        Headers: {
            [key: string]: string;
        };
        /** @description A held attempt. `own` is the receiver's own response. */
        Held: {
            at: components["schemas"]["Instant"];
            attempt: number;
            event_id: string;
            mark: string | null;
            outcome?: string;
            own: components["schemas"]["Answered"];
            request: components["schemas"]["WebhookRequest"];
            seq: number;
            status?: number | null;
            type: string;
            url: string;
        };
        Instant: string;
        InstantOrNull: string | null;
        Invoice: {
            about: components["schemas"]["OrderSubjectOrNull"];
            amount_cents: number;
            created_at: components["schemas"]["Instant"];
            /** @description The amount credited by refunds. */
            credited_cents: number;
            /** Format: date */
            due_on: string;
            invoice_id: components["schemas"]["OwnedId"];
            /** @enum {unknown} */
            kind: "net_terms" | "deposit";
            livemode: boolean;
            number: string;
            paid_at: components["schemas"]["InstantOrNull"];
            receipt_id: components["schemas"]["OwnedIdOrNull"];
            resource_id: components["schemas"]["OwnedIdOrNull"];
            resource_type: string | null;
            /** @enum {unknown} */
            status: "open" | "paid" | "void";
            team_id: number;
        };
        Key: {
            account_id: number | null;
            capabilities: components["schemas"]["Capabilities"];
            headers: components["schemas"]["Headers"];
            interface: string;
            key: string;
            limits: components["schemas"]["MoneyLimit"][];
            mode: components["schemas"]["Mode"];
            name: string;
            pay_limits: components["schemas"]["PayLimitsRequest"];
            plan: string;
            revoked: boolean;
            /** @enum {unknown} */
            role: "approver" | "requester" | null;
            scopes: components["schemas"]["Scopes"];
            team_id: number | null;
        };
        /** @description A key, or its name in the table of credentials (`partner.prepaid`). */
        KeyName: string;
        KeyRequest: {
            account?: components["schemas"]["AccountRequest"];
            capabilities?: components["schemas"]["Capabilities"];
            /** @enum {unknown} */
            interface: "partner" | "team";
            mode?: components["schemas"]["Mode"];
            /** @description The end of the key's text. Default: a random one, from the world's seed. */
            name?: string;
            pay_limits?: components["schemas"]["PayLimitsRequest"];
            plan?: components["schemas"]["Plan"];
            role?: components["schemas"]["Role"];
            scopes?: components["schemas"]["Scopes"];
            team?: components["schemas"]["TeamName"];
        };
        LedgerEntry: {
            about: components["schemas"]["OrderSubjectOrNull"];
            at: components["schemas"]["Instant"];
            kind: string;
            owner: string;
            postings: {
                account: string;
                cents: number;
            }[];
            ref: string;
            seq: number;
        };
        LibraryScenario: {
            file: string;
            folder: string;
            /** @description The path below its folder, with dots: `partner.declined_card`. */
            name: string;
            /** @description Whether the scenario is in the folder that the simulator was started with. */
            own: boolean;
            purpose: string;
            /** @description The question that the scenario answers. */
            question: string | null;
            /** @description The mark for a service's sandbox. */
            sandbox: string | null;
            /** @description Steps in the file, before loops and includes are expanded. */
            steps: number;
            title: string;
        };
        LoggedCall: {
            at: components["schemas"]["Instant"];
            /** @description The name of the credential. Null without a known one. */
            credential: string | null;
            /** @description The fault that changed the call. */
            fault: string | null;
            interface: string | null;
            note: string | null;
            /** @description The operationId. Null when no route matched. */
            operation: string | null;
            request: {
                body: string | null;
                headers: components["schemas"]["Headers"];
                method: string;
                path: string;
            };
            /** @description Null when the connection was dropped without a response. */
            response: {
                body: string | null;
                headers: components["schemas"]["Headers"];
                status: number;
            } | null;
            seq: number;
        };
        Machine: {
            about: string;
            name: string;
            /** @description The statements and decisions that it rests on, and how sure each is. */
            sources: {
                /** @enum {unknown} */
                basis: "documented" | "public sample" | "documented in part" | "inferred" | "guess" | "giftsim";
                id: string;
            }[];
            states: {
                /** @description Whether no transition leaves it. */
                final: boolean;
                /** @description Whether a record can start in this state. */
                initial: boolean;
                state: string;
            }[];
            transitions: {
                /** @description The instant from which its delay counts. */
                after: string | null;
                /** @description The reason for its timer. */
                because: string | null;
                /** @description Whether a timer makes the transition. */
                by_itself: boolean;
                /** @description Whether it depends on more than the state. */
                conditional: boolean;
                does: string;
                from: string;
                /** @description The settings that change its delay. */
                settings: string[];
                /** @description The statements and decisions that it rests on, and how sure each is. */
                sources: {
                    /** @enum {unknown} */
                    basis: "documented" | "public sample" | "documented in part" | "inferred" | "guess" | "giftsim";
                    id: string;
                }[];
                to: string;
                trigger: string;
            }[];
        };
        MagicValue: {
            /** @description The decisions about it. */
            decisions: components["schemas"]["Source"][];
            /** @description The place where the value takes effect. */
            found_in: string;
            means: string;
            /** @description Any of these. */
            values: string[];
        };
        Mail: {
            about: components["schemas"]["OrderSubjectOrNull"];
            at: components["schemas"]["Instant"];
            kind: string;
            links: string[];
            /** @description Whether somebody has marked it as read. */
            read: boolean;
            seq: number;
            subject: string;
            /** @description The body of the mail as plain text. */
            text: string;
            to: string;
        };
        ManagedPerson: {
            birthday?: string | null;
            country?: string | null;
            department?: string | null;
            first_name?: string | null;
            last_name?: string | null;
            location?: string | null;
            managed_fields?: ("work_email" | "first_name" | "last_name" | "start_date" | "birthday" | "department" | "location" | "country" | "zip" | "status")[];
            /** Format: date */
            start_date?: string | null;
            status?: string | null;
            work_email: components["schemas"]["EmailAddress"];
            zip?: string | null;
        };
        /** @enum {unknown} */
        Mode: "live" | "test";
        /** @description A cap of a key or a credit line, and how much of it is used. */
        MoneyLimit: {
            left_cents: number;
            limit_cents: number;
            /** @enum {unknown} */
            name: "daily" | "per_request" | "monthly" | "credit";
            /** @description When it resets, by days and months in Los Angeles. Null if it does not reset. */
            turns_over_at: components["schemas"]["InstantOrNull"];
            used_cents: number;
        };
        Move: {
            allowed: boolean;
            /** @description Why it is due at that instant. */
            because: string | null;
            /** @description The body to send to the verb. */
            body: Record<string, never> | null;
            does: string;
            due: components["schemas"]["InstantOrNull"];
            machine: string;
            /** @description The transitions that the verb would make now. */
            steps: {
                from: string;
                machine: string;
                to: string;
                trigger: string;
            }[];
            subject: components["schemas"]["RecordSubject"];
            trigger: string;
            /** @description The verb below `/simulate`; null if no verb makes this move. */
            verb: string | null;
            /** @description Why the move is not possible now; null if it is. */
            why_not: string | null;
        };
        MuseumDay: {
            /** Format: date */
            date: string;
            events: {
                event_id: string;
                name: string;
            }[];
            time_close: string | null;
            /** @description Null if the museum is closed. */
            time_open: string | null;
            /** @enum {unknown} */
            weekday: "monday" | "tuesday" | "wednesday" | "thursday" | "friday" | "saturday" | "sunday";
        };
        MuseumEvent: {
            dates: string[];
            description: string;
            event_id: string;
            location: string;
            name: string;
            price: number;
            seq: number;
        };
        MuseumTicket: {
            bought_at: components["schemas"]["Instant"];
            confirmation_code: string;
            /** Format: date */
            day: string;
            email: string | null;
            /** @description The name of its special event. Null if that was canceled. */
            event: string | null;
            event_id: string | null;
            /** @enum {unknown} */
            kind: "general" | "event";
            /** @description The text in the ticket's QR code. */
            qr_text: string;
            seq: number;
            ticket_id: string;
        };
        Next: number | null;
        Order: {
            /** @description Null for a team's order. */
            account_id: number | null;
            address_mode: string;
            charged_cents: number;
            created_at: components["schemas"]["Instant"];
            id: components["schemas"]["OwnedId"];
            key: string | null;
            name: string | null;
            paid_at: components["schemas"]["InstantOrNull"];
            reference: string | null;
            refunded_cents: number;
            shared_claim_link: string | null;
            status: string;
            summary: {
                [key: string]: number;
            };
            /** @description Null for a partner's order. */
            team_id: number | null;
            title: components["schemas"]["Title"];
            total_cents: number;
        };
        /**
         * @description A partner's order can be `unpaid`, `collecting_addresses` or `in_progress`; a team's can be `awaiting_approval`,
         *     `approved` or `in_production`.
         * @enum {unknown}
         */
        OrderStatus: "unpaid" | "awaiting_approval" | "approved" | "collecting_addresses" | "in_progress" | "in_production" | "shipped" | "delivered" | "canceled" | "rejected";
        OrderSubject: {
            id: components["schemas"]["OwnedId"];
            /** @enum {unknown} */
            kind: "team_order" | "gift" | "campaign";
        };
        /** @description The order, gift or campaign that it is about. */
        OrderSubjectOrNull: components["schemas"]["OrderSubject"] | null;
        /** @enum {unknown} */
        Outcome: "delivered" | "http_status" | "timeout" | "dns_error" | "connection_refused" | "connection_reset" | "tls_error" | "blocked_address" | "refused" | null;
        /** @description The public id of a team's record: an integer in live mode, a UUID in a sandbox. */
        OwnedId: number | string;
        OwnedIdOrNull: number | string | null;
        Pace: {
            /** @enum {unknown} */
            mode: "manual" | "running";
            /** @description World seconds per real second. Default 1. */
            rate?: number | null;
        };
        Parcel: {
            /** @description Only for a parcel of a large campaign. */
            campaign_id: number | string | null;
            /** @description The reason given when it was canceled. */
            cancel_reason: string | null;
            /** @description The printed card, if the order asked for one (P-2.12). */
            card: {
                message: string | null;
                sender: string | null;
                /** @constant */
                size: "5x7";
            } | null;
            carrier: string | null;
            channel: string;
            claim_expires_at: components["schemas"]["InstantOrNull"];
            claim_link: string | null;
            claimed_at: components["schemas"]["InstantOrNull"];
            country: string | null;
            delivered_at: components["schemas"]["InstantOrNull"];
            email: string | null;
            external_id: string;
            gift_id: number | string | null;
            labeled_at: components["schemas"]["InstantOrNull"];
            name: string | null;
            order_id: number;
            produced_at: components["schemas"]["InstantOrNull"];
            recipient_id: number | string | null;
            ship_on: string | null;
            shipped_at: components["schemas"]["InstantOrNull"];
            status: string;
            team_order_id: number | string | null;
            tracking_number: string | null;
            tracking_url: string | null;
        };
        /** @description Sets both ceilings at once. A ceiling that is left out or null is removed. */
        PayLimitsRequest: {
            monthly_cents?: components["schemas"]["CentsOrNull"];
            per_request_cents?: components["schemas"]["CentsOrNull"];
        } | null;
        Payment: {
            about: components["schemas"]["OrderSubjectOrNull"];
            account_id: number;
            amount_cents: number;
            card_cents: number;
            closed_at: components["schemas"]["InstantOrNull"];
            code: string | null;
            id: string;
            /** @description Null when a person or a bank pays. */
            key: string | null;
            opened_at: components["schemas"]["Instant"];
            purpose: string;
            /**
             * @description A payment with the status `sent` has an unknown outcome or none yet.
             * @enum {unknown}
             */
            status: "sent" | "paid" | "failed";
            team_order_id: number | null;
            /** @description The team's record of the payment. Null for an account's payment. */
            team_payment: components["schemas"]["TeamPayment"] | null;
            wallet_cents: number;
        };
        Person: {
            birthday: string | null;
            country: string | null;
            created_at: components["schemas"]["Instant"];
            department: string | null;
            display_name: string;
            first_name: string | null;
            id: components["schemas"]["OwnedId"];
            last_name: string | null;
            livemode: boolean;
            location: string | null;
            managed_fields: string[];
            /** @description The CRM that manages some of the fields. */
            provider: string | null;
            seq: number;
            start_date: string | null;
            status: string | null;
            team_id: number;
            updated_at: components["schemas"]["Instant"];
            work_email: string;
            zip: string | null;
        };
        PlacedMoney: {
            charged_cents: number;
            charges: components["schemas"]["Payment"][];
            event_fees_cents: number;
            invoices: components["schemas"]["Invoice"][];
            /** @description The payments of a team. */
            payments: components["schemas"]["TeamPayment"][];
            refunded_cents: number;
            refunds: components["schemas"]["LedgerEntry"][];
            shipping_cents: number;
            subtotal_cents: number;
            total_cents: number;
        };
        /** @enum {unknown} */
        Plan: "sandbox" | "starter" | "growth" | "enterprise";
        PlayReport: {
            events: {
                at: string;
                type: string;
            }[];
            fingerprint: string | null;
            /** @enum {unknown} */
            outcome: "passed" | "failed";
            scenario: string;
            steps: {
                /** @description The world's time. */
                at: string | null;
                detail: string | null;
                /** @description The step's line in the file. */
                line: number;
                /** @enum {unknown} */
                outcome: "passed" | "failed" | "skipped";
                step: number;
                title: string;
            }[];
            /** @description Expectations that never ran because their steps were skipped. */
            unchecked: number;
            /** @description The world of the scenario. It still exists if `keep` was set. */
            world: string | null;
        };
        Preview: {
            created_at: components["schemas"]["Instant"];
            due_at: components["schemas"]["Instant"];
            failure: string | null;
            finished_at: components["schemas"]["InstantOrNull"];
            /** @description Null until it is ready. Needs no key. */
            image_url: string | null;
            livemode: boolean;
            placements: {
                area: string;
                artwork: string;
                artwork_id: components["schemas"]["OwnedId"];
                fit: string;
            }[];
            preview_id: components["schemas"]["OwnedId"];
            product: string;
            product_id: number;
            seq: number;
            /** @enum {unknown} */
            status: "pending" | "ready" | "failed";
            team_id: number;
            /** @description The next step, as text. */
            waits_for: string | null;
        };
        /**
         * @description The prefix of this process, if several share the address behind a proxy (`serve --worlds-prefix`). The response
         *     covers this process alone. To ask another process, send its prefix in the header `X-Sim-World`.
         */
        Process: string;
        Product: {
            /** @description The only account that has the product. Null for a product of all accounts. */
            account_id: number | null;
            id: number;
            name: string;
            personalization: string;
            price_cents: number;
            /** @description The accounts that it was reviewed for. */
            reviewed_for: number[];
            skus: {
                code: string;
                id: number;
                options: {
                    [key: string]: number;
                };
                price_cents: number;
            }[];
            slug: string;
            variations: {
                id: number;
                name: string;
                options: {
                    id: number;
                    name: string;
                }[];
            }[];
        };
        /** @description The id or slug of a product, or the id or code of one of its SKUs. */
        ProductName: string | number;
        Proof: {
            about: components["schemas"]["OrderSubject"];
            created_at: components["schemas"]["Instant"];
            current_version: number | null;
            item: string;
            livemode: boolean;
            product_id: number;
            proof_id: components["schemas"]["OwnedId"];
            quantity: number;
            /** @description The review of the current version. */
            review: {
                /** @enum {unknown} */
                decision: "approve" | "request_changes";
                note: string | null;
                reviewed_at: components["schemas"]["Instant"];
            } | null;
            seq: number;
            signed_at: components["schemas"]["InstantOrNull"];
            /** @description The user who signed. Null in a sandbox. */
            signed_by: string | null;
            /** @enum {unknown} */
            status: "awaiting_version" | "in_review" | "changes_requested" | "ready_to_sign" | "signed";
            team_id: number;
            /** @description The newest first. */
            versions: {
                artwork: string;
                artwork_id: components["schemas"]["OwnedId"];
                artwork_url: string;
                created_at: components["schemas"]["Instant"];
                notes: string | null;
                version: number;
            }[];
            /** @description The next step, as text. */
            waits_for: string | null;
        };
        /** @description One response of a receiver, or `{}` for the receiver's own. */
        Reaction: {
            /** @description Text of the body, which is kept with the attempt. */
            body?: string;
            /** @description Virtual seconds. 10 or more is a timeout. */
            delay_s?: number;
            /**
             * @constant
             * @enum {boolean}
             */
            dns_error?: true;
            location?: string;
            /**
             * @constant
             * @enum {boolean}
             */
            refuse?: true;
            /**
             * @constant
             * @enum {boolean}
             */
            reset?: true;
            status?: number;
            /**
             * @constant
             * @enum {boolean}
             */
            timeout?: true;
            /**
             * @constant
             * @enum {boolean}
             */
            tls_error?: true;
        };
        Receiver: {
            addresses: string[] | null;
            host: string;
            /** @enum {unknown} */
            host_header: "keep" | "target";
            /** @enum {unknown} */
            mode: "capture" | "forward" | "refuse" | "hold";
            outage: Record<string, never> | null;
            script: components["schemas"]["Step"][];
            then: components["schemas"]["Step"] | null;
            to: string | null;
            used: number;
        };
        ReceiverRequest: {
            /** @description The addresses that the host resolves to. With an empty list the name does not resolve. */
            addresses?: string[];
            /**
             * @default keep
             * @enum {unknown}
             */
            host_header?: "keep" | "target";
            /**
             * @default capture
             * @enum {unknown}
             */
            mode?: "capture" | "forward" | "refuse" | "hold";
            /** @description The host is down from `from` until `to`. Instants, or offsets such as `+3d`. */
            outage?: {
                from: string;
                /** @default 503 */
                status?: number;
                to: string;
            };
            script?: components["schemas"]["Step"][];
            then?: components["schemas"]["Step"];
            /** @description For mode forward: a loopback address like http://127.0.0.1:9000. */
            to?: string;
        };
        Recipient: {
            about: components["schemas"]["OrderSubject"];
            claimed_at: components["schemas"]["InstantOrNull"];
            company: string | null;
            email: string | null;
            /** @description Null for an open seat that nobody has claimed. */
            name: string | null;
            recipient_id: components["schemas"]["OwnedId"];
            seq: number;
            /** @description The status of the parcel. */
            status: string;
        };
        RecipientId: components["schemas"]["OwnedId"];
        /** @description The recipient's position in the order, from 0. */
        RecipientIndex: number;
        RecordSubject: {
            id: number | string | null;
            kind: string;
        };
        ReferenceError: {
            /** @description How to cause it. */
            cause: string;
            code: string;
            /** @description Whether giftsim decided it because no document says so. */
            decided: boolean;
            interface: string;
            means: string;
            operations: string[];
            /** @description The statements and decisions that it rests on, and how sure each is. */
            sources: components["schemas"]["Source"][];
            status: number;
        };
        ReferenceEvent: {
            /** @description Whether giftsim decided it because no document says so. */
            decided: boolean;
            description: string;
            interface: string;
            /** @description The statements and decisions that it rests on, and how sure each is. */
            sources: components["schemas"]["Source"][];
            summary: string;
            type: string;
        };
        ReferenceRoute: {
            /** @description Whether giftsim decided it because no document says so. */
            decided: boolean;
            /**
             * @description Where the idempotency key is.
             * @enum {unknown}
             */
            idempotency: "body" | "required" | "optional" | null;
            interface: string;
            method: string;
            /** @description An operationId. */
            operation: string;
            path: string;
            scopes: string[];
            /** @description The statements and decisions that it rests on, and how sure each is. */
            sources: components["schemas"]["Source"][];
            statuses: number[];
            summary: string;
        };
        ReferenceSetting: {
            /** @description The decisions about it. */
            decisions: components["schemas"]["Source"][];
            default: string | number | boolean | unknown[] | null;
            means: string;
            name: string;
            /** @description The values that it takes. */
            takes: string;
        };
        /** @enum {unknown} */
        Role: "approver" | "requester";
        ScenarioSession: {
            /** @description Pass this as `after` to list the changes of the steps that were played last. */
            changes_after: number;
            /** @description The failure. `step` is null if no step caused it, for example if a fault never acted. */
            failure: {
                detail: string;
                failures: components["schemas"]["StepFailure"][];
                file: string;
                line: number;
                step: number | null;
                title: string;
            } | null;
            file: string;
            /** @description The files that contain its steps. Empty after the first page of steps. */
            files: components["schemas"]["SourceFile"][];
            /** @description The worlds that it forked, by their names in the scenario. */
            forks: {
                [key: string]: string;
            };
            id: string;
            /** @description Its name in the library. */
            name: string | null;
            next: components["schemas"]["Next"];
            next_step: number | null;
            played: number;
            /** @description The report, as `POST /scenarios/play` returns it, once the session is over. */
            report: components["schemas"]["PlayReport"] | null;
            /** @description The title. */
            scenario: string;
            /** @enum {unknown} */
            state: "ready" | "playing" | "passed" | "failed";
            /** @description The number of steps, without those inside other steps. */
            step_count: number;
            steps: components["schemas"]["ScenarioStep"][];
            world: string | null;
        };
        ScenarioSessionHead: {
            /** @description Pass this as `after` to list the changes of the steps that were played last. */
            changes_after: number;
            /** @description The failure. `step` is null if no step caused it, for example if a fault never acted. */
            failure: {
                detail: string;
                failures: components["schemas"]["StepFailure"][];
                file: string;
                line: number;
                step: number | null;
                title: string;
            } | null;
            file: string;
            /** @description The worlds that it forked, by their names in the scenario. */
            forks: {
                [key: string]: string;
            };
            id: string;
            /** @description Its name in the library. */
            name: string | null;
            next_step: number | null;
            played: number;
            /** @description The report, as `POST /scenarios/play` returns it, once the session is over. */
            report: components["schemas"]["PlayReport"] | null;
            /** @description The title. */
            scenario: string;
            /** @enum {unknown} */
            state: "ready" | "playing" | "passed" | "failed";
            /** @description The number of steps, without those inside other steps. */
            step_count: number;
            world: string | null;
        };
        ScenarioSource: {
            error: {
                column: number;
                file: string;
                line: number;
                message: string;
            } | null;
            file: string;
            files: components["schemas"]["SourceFile"][];
            folder: string;
            /** @description The path below its folder, with dots: `partner.declined_card`. */
            name: string;
            /** @description Whether the scenario is in the folder that the simulator was started with. */
            own: boolean;
            plan: {
                file: string;
                kind: string;
                line: number;
                step: number;
                /** @description The text of the step. */
                text: string;
                title: string;
                /** @description The step that contains this one. */
                within: number | null;
            }[];
            purpose: string;
            /** @description The question that the scenario answers. */
            question: string | null;
            /** @description The mark for a service's sandbox. */
            sandbox: string | null;
            /** @description Steps in the file, before loops and includes are expanded. */
            steps: number;
            text: string;
            title: string;
        };
        ScenarioStep: {
            /** @description The world's time at the start of the step. */
            at: string | null;
            detail: string | null;
            /** @description The events that it caused. */
            events: {
                at: string;
                type: string;
            }[];
            failures: components["schemas"]["StepFailure"][];
            file: string;
            kind: string;
            line: number;
            /**
             * @description Null until the step is played.
             * @enum {unknown}
             */
            outcome: "passed" | "failed" | "skipped" | null;
            step: number;
            /** @description The text of the step. */
            text: string;
            title: string;
            /** @description The step that contains this one. */
            within: number | null;
        };
        Scopes: ("catalog:read" | "people:read" | "people:write" | "contacts:read" | "gifts:send" | "orders:read" | "orders:write" | "orders:pay" | "artwork:write" | "rules:write" | "billing:read" | "billing:write" | "webhooks:manage")[];
        Session: {
            headers: components["schemas"]["Headers"];
            /** @enum {unknown} */
            role: "owner" | "approver" | "member";
            team_id: number;
            /** @description Sent as the cookie `session` or as `Authorization: Session <token>`. */
            token: string;
            user: string;
        };
        /** @description A flat object with dotted names. */
        Settings: {
            [key: string]: unknown;
        };
        /** @description The steps by which a receiver verifies a webhook. */
        Signature: {
            /** @description Whether it matches and its age is within the tolerance. */
            accepted: boolean;
            /** @description How old the signature was when it was sent. */
            age_s: number;
            /** @description HMAC-SHA256 of the signed text with the secret, in hexadecimal. */
            expected: string;
            /** @description Its `v1`. */
            given: string;
            /** @description The value of `X-Service-Signature`. */
            header: string;
            /** @description Whether `given` is `expected`. */
            matches: boolean;
            /** @description The secret of the digest. It is not shown. */
            secret: string;
            signed_at: components["schemas"]["Instant"];
            /** @description The timestamp, a dot, and the exact body. */
            signed_text: string;
            /** @description Its `t` in unix seconds. */
            timestamp: number;
            tolerance_s: number;
        };
        SignedCents: number;
        Snapshot: {
            calls: number;
            name: string;
            now: components["schemas"]["Instant"];
            /**
             * @description How many more client calls, orders, events, deliveries and mails the world has than the snapshot. Negative
             *     after an earlier state was restored.
             */
            since: {
                calls: number;
                deliveries: number;
                events: number;
                mail: number;
                orders: number;
            };
        };
        Source: {
            /** @enum {unknown} */
            basis: "documented" | "public sample" | "documented in part" | "inferred" | "guess" | "giftsim";
            /** @description A statement of the documents, such as `P-6.16`, or a decision. */
            id: string;
        };
        SourceFile: {
            file: string;
            text: string;
        };
        SourceLine: {
            /** @description The path from the root of the project. */
            file: string;
            function?: string;
            line: number;
        };
        Statement: {
            /** @enum {unknown} */
            basis: "documented" | "public sample" | "documented in part" | "inferred" | "guess" | "giftsim";
            /** @description How to check the statement. */
            check: string | null;
            /** @enum {unknown} */
            family: "team" | "partner" | "museum" | "general";
            id: string;
            /** @description The part of a statement that no sentence of the documents says word for word. */
            inferred: string | null;
            /** @enum {unknown} */
            kind: "auth" | "delivery" | "error" | "event" | "field" | "format" | "idempotency" | "limit" | "money" | "operation" | "privacy" | "scope" | "state" | "validation" | "versioning" | "decision";
            /** @enum {unknown} */
            outcome: "passed" | "failed" | "skipped" | null;
            /** @description The settings that change the decision. */
            settings: {
                default: unknown;
                name: string;
            }[];
            /** @description The tests that name a statement. */
            tests: {
                /** @enum {unknown} */
                outcome: "passed" | "failed" | "skipped" | null;
                test: string;
            }[];
            text: string;
        };
        /** @description One response of a receiver. A failure allows no other member. */
        Step: {
            /** @description Text of the body, which is kept with the attempt. */
            body?: string;
            /** @description Virtual seconds. 10 or more is a timeout. */
            delay_s?: number;
            /**
             * @constant
             * @enum {boolean}
             */
            dns_error?: true;
            location?: string;
            /**
             * @constant
             * @enum {boolean}
             */
            refuse?: true;
            /**
             * @constant
             * @enum {boolean}
             */
            reset?: true;
            status?: number;
            /**
             * @constant
             * @enum {boolean}
             */
            timeout?: true;
            /**
             * @constant
             * @enum {boolean}
             */
            tls_error?: true;
        };
        /** @description Why a step failed. `path`, `expected` and `actual` are null if the message says everything. */
        StepFailure: {
            actual: string | null;
            expected: string | null;
            message: string;
            path: string | null;
        };
        /**
         * @description A record: a `call`, `delivery` or `mail` by its `seq`, an `order` by its `order_id`, a `snapshot` or `fault` by
         *     its name, anything else by its `id`.
         */
        Subject: {
            id: number | string;
            /** @enum {unknown} */
            kind: "approval" | "call" | "campaign" | "delivery" | "event" | "fault" | "gift" | "invoice" | "mail" | "order" | "payment" | "snapshot" | "team_order";
        };
        Team: {
            ach_enabled: boolean;
            agent_access: boolean;
            api_enabled: boolean;
            balance_cents: number;
            credit: {
                available_cents: number;
                credit_limit_cents: number;
                net_days: number;
                outstanding_cents: number;
                /** @enum {unknown} */
                status: "none" | "active" | "suspended";
            };
            label: string;
            limits: components["schemas"]["MoneyLimit"][];
            name: string;
            plan: components["schemas"]["Plan"];
            reserved_cents: number;
            team_id: number;
        };
        /** @description The id or label of a team. By default the team of the named credentials. */
        TeamName: number | string;
        /**
         * @description The id of a partner's or a team's order. A team's live orders are numbered from 20000001, and test orders have
         *     UUIDs.
         */
        TeamOrderId: components["schemas"]["OwnedId"];
        TeamPayment: {
            about: components["schemas"]["OrderSubject"];
            amount_cents: number;
            created_at: components["schemas"]["Instant"];
            invoice_id: components["schemas"]["OwnedIdOrNull"];
            key: string | null;
            livemode: boolean;
            /** @enum {unknown} */
            method: "balance" | "net_terms" | "bank_transfer" | "us_bank_account";
            /** @description The month in Los Angeles whose ceiling it counts against. */
            month: string | null;
            payment_id: components["schemas"]["OwnedId"];
            receipt_id: components["schemas"]["OwnedIdOrNull"];
            refunded_cents: number;
            resource_id: components["schemas"]["OwnedId"];
            resource_type: string;
            settled_at: components["schemas"]["InstantOrNull"];
            /** @enum {unknown} */
            status: "pending" | "reserved" | "uncertain" | "settled" | "failed";
            team_id: number;
            /** @description Whether it came too late for its order and was credited to the balance. */
            to_balance: boolean;
        };
        TimelineStep: {
            at: components["schemas"]["Instant"];
            cause: components["schemas"]["Cause"];
            detail: string | null;
            /** @description The new status of the subject. */
            status: string;
            subject: components["schemas"]["RecordSubject"];
        };
        Timer: {
            /** @description The record that the timer is about. Null if no operation shows it. */
            about: components["schemas"]["Subject"] | null;
            because: string;
            due: components["schemas"]["Instant"];
            kind: string;
            subject: string;
        };
        /** @description What people call it: its name, or whom it is for and what is in it, such as `Bo’s stoneware mug` (G240). */
        Title: string;
        TracedTest: {
            failure?: {
                /** @description The error and its first line. */
                message: string;
                place?: components["schemas"]["SourceLine"];
                /** @description The whole report, with the difference of an assertion. */
                text: string;
            };
            id: string;
            /** @enum {unknown} */
            outcome: "passed" | "failed" | "skipped";
            /** @description What it wrote, by a title. */
            output?: {
                [key: string]: string;
            };
            place?: components["schemas"]["SourceLine"];
            /** @description How long it ran, in real time. */
            seconds: number;
            /** @description Lines of the files that are named, by file. */
            sources?: {
                [key: string]: {
                    /** @description The number of the first line. */
                    first: number;
                    lines: string[];
                };
            };
        };
        TraceFacts: {
            /** @description The calls that the test and its app made, in order, with those to this API. */
            calls?: {
                /** @description The number of the delivery that the app was handling. */
                during?: number;
                method: string;
                /** @description The whole path. */
                path: string;
                /** @description The `x-request-id` of the response. Leave it out if there was none. */
                request_id?: string;
                source?: components["schemas"]["SourceLine"];
                test_source?: components["schemas"]["SourceLine"];
            }[];
            /** @description Regular expressions. What matches one in any text is hidden. If the recording has such, it is left out. */
            redact?: string[];
            test?: components["schemas"]["TracedTest"];
        };
        /** @description The steps of a verification with a secret. */
        Verification: {
            accepted: boolean;
            age_s: number;
            expected: string;
            given: string;
            header: string;
            matches: boolean;
            /** @description Whether the secret is that of the attempt's endpoint. */
            own_secret: boolean;
            secret: string;
            /** @description The other endpoint that has this secret. */
            secret_of: number | null;
            signed_at: components["schemas"]["Instant"];
            signed_text: string;
            timestamp: number;
            tolerance_s: number;
        };
        WebhookRequest: {
            /** @description The exact text sent. */
            body: string;
            headers: components["schemas"]["Headers"];
        };
        World: {
            clock: {
                /** @enum {unknown} */
                mode: "manual" | "running";
                rate: number | null;
            };
            /**
             * @description The number of records of each kind. `held` and `late` count calls in flight that a fault holds or delays;
             *     `standing` counts those that wait for a held delivery.
             */
            counts: {
                [key: string]: number;
            };
            credentials: {
                [key: string]: components["schemas"]["Credential"];
            };
            fixture: string;
            id: components["schemas"]["WorldId"];
            /** @description What people call it. Null for a world without a name. */
            name: string | null;
            now: components["schemas"]["Instant"];
            seed: number;
            urls: {
                [key: string]: string;
            };
        };
        WorldDiff: {
            /** @description Accounts whose money or limits differ. */
            balances: {
                account_id: number;
                label: string;
                members: string[];
                of_team: boolean;
                other_cents: number | null;
                this_cents: number | null;
            }[];
            diff: {
                id: number | string;
                kind: string;
                label: string;
                members: {
                    name: string;
                    other: unknown;
                    this: unknown;
                }[];
                subject: components["schemas"]["Subject"] | null;
                /** @enum {unknown} */
                what: "added" | "removed" | "changed";
            }[];
            events: {
                /** @description The record that the event is about. Null if no operation shows it. */
                about: components["schemas"]["Subject"] | null;
                at: components["schemas"]["Instant"];
                id: string;
                /** @description What the event is about. */
                label: string;
                subject: components["schemas"]["Subject"] | null;
                type: string;
                /** @enum {unknown} */
                what: "added" | "removed";
            }[];
            kinds: {
                added: number;
                changed: number;
                kind: string;
                removed: number;
            }[];
            /** @description The amounts moved by entries that only one world has, by ledger account. */
            ledger: {
                /**
                 * @description The ledger accounts of all orders count as one, and so do those of all payments and those of all
                 *     invoices.
                 */
                accounts: {
                    account: string;
                    other_cents: number;
                    this_cents: number;
                }[];
                other_entries: number;
                this_entries: number;
            };
            next: components["schemas"]["Next"];
            other: components["schemas"]["ComparedWorld"];
            /** @description Whether nothing differs, including the clock and the timers. */
            same: boolean;
            settings: {
                name: string;
                other: unknown;
                this: unknown;
            }[];
            this: components["schemas"]["ComparedWorld"];
        };
        WorldId: string;
        /** @description What people call the world, such as the name of its test. It need not be unique (G254). */
        WorldName: string;
        WorldRequest: {
            /** @description With `trace`, the entry after which the world stands still. By default the last one. */
            at?: number;
            clock?: components["schemas"]["Pace"];
            /**
             * @description The name of a fixture, or an inline fixture, which may extend a named one. A fixture file that the simulator
             *     was started with has its file name as its name, without `.yaml`.
             */
            fixture?: string | {
                extends?: string;
            };
            id?: components["schemas"]["WorldId"];
            name?: components["schemas"]["WorldName"];
            now?: string;
            seed?: number | "fresh";
            settings?: components["schemas"]["Settings"];
            /**
             * @description The file of a trace, as text. The world is made by playing its recording. Only `id`, `name`, `ttl` and `at` may
             *     stand beside it.
             */
            trace?: string;
            /** @description Idle real seconds until the world is deleted. */
            ttl?: number;
        };
    };
    responses: never;
    parameters: {
        /** @description Only entries after this number. */
        After: number;
        /** @description Only entries before this number. */
        Before: number;
        /** @description Whether the response has `counts`, by status, of all entries that match the other filters. */
        Counts: boolean;
        Limit: number;
        /**
         * @description Whether the list starts with the oldest or the newest entries. For the next page, pass `next` as `after` or as
         *     `before`.
         */
        Order: "oldest" | "newest";
        /** @description The number of entries to return of each status, for a board. `limit` is ignored, and there is no next page. */
        PerStatus: number;
        /** @description The public id of a record, of any account or team. */
        RecordId: string;
        /** @description Only entries that contain this text in a name, an id or another text, in any letter case. */
        Text: string;
        /** @description A world's id. */
        World: string;
    };
    requestBodies: never;
    headers: {
        /** @description Sent with every 401. */
        "WWW-Authenticate": "Bearer realm=\"giftsim control\"";
        /** @description The id of the call. */
        "X-Request-Id": string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getWholeCoverage: {
        parameters: {
            query?: {
                /** @description Whether the answer has the next steps, which are most of its size. */
                next?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Items by area, next steps, details, and the facts from which several reports can be merged. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Coverage"];
                };
            };
            /** @description A parameter is invalid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The control token is missing or wrong. */
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
            /** @description The `Host` is not the simulator's own, or the `Origin` is foreign. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listFixtures: {
        parameters: {
            query?: {
                /** @description Only entries after this number. */
                after?: components["parameters"]["After"];
                limit?: components["parameters"]["Limit"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Fixtures by name. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        fixtures: {
                            /** @description The first sentence of the comment at the top of its file. */
                            about: string | null;
                            /** @description The fixture that this one extends. */
                            extends: string | null;
                            name: string;
                        }[];
                        next: components["schemas"]["Next"];
                    };
                };
            };
            /** @description A parameter or the body is invalid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The control token is missing or wrong. */
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
            /** @description The `Host` is not the simulator's own, or the `Origin` is foreign. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The default world exists. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description How often giftsim itself has failed in this process, such as by a `500 internal_error`. */
                        failures: number;
                        /** @description The latest of these failures in one line. */
                        latest_failure?: string;
                        process?: components["schemas"]["Process"];
                        /** @constant */
                        status: "ready";
                        version: string;
                        worlds: number;
                    };
                };
            };
            /** @description A parameter is invalid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The control token is missing or wrong. */
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
            /** @description The `Host` is not the simulator's own, or the `Origin` is foreign. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The default world does not exist yet. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listMachines: {
        parameters: {
            query?: {
                /** @description Only entries after this number. */
                after?: components["parameters"]["After"];
                limit?: components["parameters"]["Limit"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Machines. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        machines: components["schemas"]["Machine"][];
                        next: components["schemas"]["Next"];
                    };
                };
            };
            /** @description A parameter is invalid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The control token is missing or wrong. */
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
            /** @description The `Host` is not the simulator's own, or the `Origin` is foreign. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listErrors: {
        parameters: {
            query?: {
                /** @description Only entries after this number. */
                after?: components["parameters"]["After"];
                /** @description Only rows of this interface. */
                interface?: "team" | "partner" | "museum" | "control";
                limit?: components["parameters"]["Limit"];
                /** @description Only rows that contain this text, in any letter case. */
                q?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the reference. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        errors: components["schemas"]["ReferenceError"][];
                        next: components["schemas"]["Next"];
                    };
                };
            };
            /** @description A parameter is invalid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The control token is missing or wrong. */
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
            /** @description The `Host` is not the simulator's own, or the `Origin` is foreign. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listEventTypes: {
        parameters: {
            query?: {
                /** @description Only entries after this number. */
                after?: components["parameters"]["After"];
                /** @description Only rows of this interface. */
                interface?: "team" | "partner" | "museum" | "control";
                limit?: components["parameters"]["Limit"];
                /** @description Only rows that contain this text, in any letter case. */
                q?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the reference. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        events: components["schemas"]["ReferenceEvent"][];
                        next: components["schemas"]["Next"];
                    };
                };
            };
            /** @description A parameter is invalid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The control token is missing or wrong. */
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
            /** @description The `Host` is not the simulator's own, or the `Origin` is foreign. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listMagicValues: {
        parameters: {
            query?: {
                /** @description Only entries after this number. */
                after?: components["parameters"]["After"];
                limit?: components["parameters"]["Limit"];
                /** @description Only rows that contain this text, in any letter case. */
                q?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the reference. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        magic_values: components["schemas"]["MagicValue"][];
                        next: components["schemas"]["Next"];
                    };
                };
            };
            /** @description A parameter is invalid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The control token is missing or wrong. */
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
            /** @description The `Host` is not the simulator's own, or the `Origin` is foreign. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listRoutes: {
        parameters: {
            query?: {
                /** @description Only entries after this number. */
                after?: components["parameters"]["After"];
                /** @description Only rows of this interface. */
                interface?: "team" | "partner" | "museum" | "control";
                limit?: components["parameters"]["Limit"];
                /** @description Only rows that contain this text, in any letter case. */
                q?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the reference. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        next: components["schemas"]["Next"];
                        routes: components["schemas"]["ReferenceRoute"][];
                    };
                };
            };
            /** @description A parameter is invalid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The control token is missing or wrong. */
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
            /** @description The `Host` is not the simulator's own, or the `Origin` is foreign. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listSettings: {
        parameters: {
            query?: {
                /** @description Only entries after this number. */
                after?: components["parameters"]["After"];
                limit?: components["parameters"]["Limit"];
                /** @description Only rows that contain this text, in any letter case. */
                q?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the reference. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        next: components["schemas"]["Next"];
                        settings: components["schemas"]["ReferenceSetting"][];
                    };
                };
            };
            /** @description A parameter is invalid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The control token is missing or wrong. */
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
            /** @description The `Host` is not the simulator's own, or the `Origin` is foreign. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listScenarios: {
        parameters: {
            query?: {
                /** @description Only entries after this number. */
                after?: components["parameters"]["After"];
                limit?: components["parameters"]["Limit"];
                /** @description Only entries that contain this text in a name, an id or another text, in any letter case. */
                q?: components["parameters"]["Text"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Scenarios. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        next: components["schemas"]["Next"];
                        scenarios: components["schemas"]["LibraryScenario"][];
                    };
                };
            };
            /** @description A parameter is invalid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The control token is missing or wrong. */
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
            /** @description The `Host` is not the simulator's own, or the `Origin` is foreign. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getLibraryScenario: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The scenario. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScenarioSource"];
                };
            };
            /** @description A parameter is invalid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The control token is missing or wrong. */
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
            /** @description The `Host` is not the simulator's own, or the `Origin` is foreign. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The library has no such scenario. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    playScenario: {
        parameters: {
            query?: {
                /** @description Whether to keep the world after the scenario. */
                keep?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/yaml": string;
            };
        };
        responses: {
            /** @description The report; `outcome` says whether every expectation held. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlayReport"];
                };
            };
            /** @description The file does not match the schema, and nothing ran. `details` has `line`, `column` and `message`. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The control token is missing or wrong. */
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
            /** @description The `Host` is not the simulator's own, or the `Origin` is foreign. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listScenarioSessions: {
        parameters: {
            query?: {
                /** @description Only entries after this number. */
                after?: components["parameters"]["After"];
                limit?: components["parameters"]["Limit"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Sessions, without their steps. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        next: components["schemas"]["Next"];
                        sessions: components["schemas"]["ScenarioSessionHead"][];
                    };
                };
            };
            /** @description A parameter is invalid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The control token is missing or wrong. */
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
            /** @description The `Host` is not the simulator's own, or the `Origin` is foreign. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createScenarioSession: {
        parameters: {
            query?: {
                limit?: components["parameters"]["Limit"];
                /** @description A scenario of the library. */
                name?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/yaml": string;
            };
        };
        responses: {
            /** @description The session with its steps. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScenarioSession"];
                };
            };
            /** @description The file is missing or does not match the schema. `details` has `line`, `column` and `message`. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The control token is missing or wrong. */
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
            /** @description The `Host` is not the simulator's own, or the `Origin` is foreign. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The library has no such scenario. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There are 20 sessions already. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getScenarioSession: {
        parameters: {
            query?: {
                /** @description Only entries after this number. */
                after?: components["parameters"]["After"];
                limit?: components["parameters"]["Limit"];
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The session with its steps. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScenarioSession"];
                };
            };
            /** @description A parameter is invalid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The control token is missing or wrong. */
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
            /** @description The `Host` is not the simulator's own, or the `Origin` is foreign. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such session. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteScenarioSession: {
        parameters: {
            query?: {
                /** @description Whether to keep the worlds. */
                keep?: boolean;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The session was deleted. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        deleted: string;
                    };
                };
            };
            /** @description A parameter is invalid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The control token is missing or wrong. */
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
            /** @description The `Host` is not the simulator's own, or the `Origin` is foreign. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such session. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    stepScenarioSession: {
        parameters: {
            query?: {
                limit?: components["parameters"]["Limit"];
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @default 1 */
                    count?: number;
                    /** @enum {unknown} */
                    to?: "end";
                };
            };
        };
        responses: {
            /** @description The session, with its steps from the first one that this call played. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScenarioSession"];
                };
            };
            /** @description A parameter or the body is invalid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The control token is missing or wrong. */
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
            /** @description The `Host` is not the simulator's own, or the `Origin` is foreign. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such session. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description All steps were played or one failed, or a step is being played. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listStatements: {
        parameters: {
            query?: {
                /** @description The interface that the entry is about. */
                about?: "team" | "partner" | "museum" | "general";
                /** @description Only entries after this number. */
                after?: components["parameters"]["After"];
                /** @description How sure the entry is. */
                basis?: "documented" | "public sample" | "documented in part" | "inferred" | "guess" | "giftsim";
                /** @description True for decisions alone, false for statements alone. */
                decided?: boolean;
                /** @description An id or the beginning of one, such as `P-6.16`, `P-6`, `B44` or `A3`. */
                id?: string;
                /** @description The kind of statement, or `decision`. */
                kind?: "auth" | "delivery" | "error" | "event" | "field" | "format" | "idempotency" | "limit" | "money" | "operation" | "privacy" | "scope" | "state" | "validation" | "versioning" | "decision";
                limit?: components["parameters"]["Limit"];
                /** @description Only statements with this last outcome. */
                outcome?: "passed" | "failed" | "skipped" | "not_run";
                /** @description Words to look for in the text, in any letter case. */
                text?: string;
                /** @description Only statements that no test names. */
                without_test?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Statements, then decisions. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @deprecated
                         * @description The former name, only under the former path `/claims`.
                         */
                        claims?: unknown;
                        next: components["schemas"]["Next"];
                        statements: components["schemas"]["Statement"][];
                        summary: {
                            /**
                             * @deprecated
                             * @description The former name, only under the former path `/claims`.
                             */
                            claims?: unknown;
                            decisions: number;
                            outcomes_known: boolean;
                            /** @description Statements that a passing test shows. */
                            shown: number;
                            statements: number;
                        };
                    };
                };
            };
            /** @description A parameter is invalid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The control token is missing or wrong. */
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
            /** @description The `Host` is not the simulator's own, or the `Origin` is foreign. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listWorlds: {
        parameters: {
            query?: {
                /** @description Only entries after this number. */
                after?: components["parameters"]["After"];
                limit?: components["parameters"]["Limit"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Worlds. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        next: components["schemas"]["Next"];
                        process?: components["schemas"]["Process"];
                        worlds: components["schemas"]["World"][];
                    };
                };
            };
            /** @description A parameter or the body is invalid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The control token is missing or wrong. */
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
            /** @description The `Host` is not the simulator's own, or the `Origin` is foreign. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createWorld: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["WorldRequest"];
            };
        };
        responses: {
            /** @description The world. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["World"];
                };
            };
            /** @description The request does not describe a valid world. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The control token is missing or wrong. */
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
            /** @description The `Host` is not the simulator's own, or the `Origin` is foreign. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description The id is taken, the limit of worlds is reached, or playing the recording of the trace gives another response
             *     than it has.
             */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getWorld: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The world. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["World"];
                };
            };
            /** @description A parameter is invalid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The control token is missing or wrong. */
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
            /** @description The `Host` is not the simulator's own, or the `Origin` is foreign. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such world. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteWorld: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The world was deleted. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        deleted: string;
                    };
                };
            };
            /** @description A parameter is invalid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The control token is missing or wrong. */
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
            /** @description The `Host` is not the simulator's own, or the `Origin` is foreign. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such world. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The default world cannot be deleted. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    renameWorld: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: components["schemas"]["WorldName"] | null;
                };
            };
        };
        responses: {
            /** @description The world. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["World"];
                };
            };
            /** @description A parameter or the body is invalid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The control token is missing or wrong. */
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
            /** @description The `Host` is not the simulator's own, or the `Origin` is foreign. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such world. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listAccounts: {
        parameters: {
            query?: {
                /** @description Only entries after this number. */
                after?: components["parameters"]["After"];
                limit?: components["parameters"]["Limit"];
            };
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Accounts, in order of creation. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        accounts: components["schemas"]["Account"][];
                        next: components["schemas"]["Next"];
                    };
                };
            };
            /** @description A parameter or the body is invalid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The control token is missing or wrong. */
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
            /** @description The `Host` is not the simulator's own, or the `Origin` is foreign. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such world. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listActors: {
        parameters: {
            query?: {
                /** @description Only entries after this number. */
                after?: components["parameters"]["After"];
                limit?: components["parameters"]["Limit"];
            };
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Actors. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        actors: components["schemas"]["Actor"][];
                        next: components["schemas"]["Next"];
                    };
                };
            };
            /** @description A parameter or the body is invalid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The control token is missing or wrong. */
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
            /** @description The `Host` is not the simulator's own, or the `Origin` is foreign. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such world. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createActor: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ActorRequest"];
            };
        };
        responses: {
            /** @description The actor. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Actor"];
                };
            };
            /** @description The actor could never act, or has no valid description. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The control token is missing or wrong. */
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
            /** @description The `Host` is not the simulator's own, or the `Origin` is foreign. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such world. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteActors: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The ids of the deleted actors. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        deleted: string[];
                    };
                };
            };
            /** @description A parameter is invalid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The control token is missing or wrong. */
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
            /** @description The `Host` is not the simulator's own, or the `Origin` is foreign. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such world. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteActor: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The world was deleted. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        deleted: string;
                    };
                };
            };
            /** @description A parameter is invalid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The control token is missing or wrong. */
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
            /** @description The `Host` is not the simulator's own, or the `Origin` is foreign. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such world or actor. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listApprovals: {
        parameters: {
            query?: {
                /** @description Only entries after this number. */
                after?: components["parameters"]["After"];
                /** @description Only entries before this number. */
                before?: components["parameters"]["Before"];
                /** @description Whether the response has `counts`, by status, of all entries that match the other filters. */
                counts?: components["parameters"]["Counts"];
                limit?: components["parameters"]["Limit"];
                /**
                 * @description Whether the list starts with the oldest or the newest entries. For the next page, pass `next` as `after` or as
                 *     `before`.
                 */
                order?: components["parameters"]["Order"];
                /** @description Only entries with this status. */
                status?: "pending" | "approved" | "rejected" | "canceled" | "superseded";
            };
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Approvals of every team and sandbox. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        approvals: components["schemas"]["Approval"][];
                        counts?: {
                            [key: string]: number;
                        };
                        next: components["schemas"]["Next"];
                    };
                };
            };
            /** @description A parameter or the body is invalid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The control token is missing or wrong. */
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
            /** @description The `Host` is not the simulator's own, or the `Origin` is foreign. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such world. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getApproval: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description An approval's id. */
                id: string;
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The entry of the list. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Approval"];
                };
            };
            /** @description A parameter or the body is invalid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The control token is missing or wrong. */
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
            /** @description The `Host` is not the simulator's own, or the `Origin` is foreign. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such world or entry. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listCalls: {
        parameters: {
            query?: {
                /** @description Only entries after this number. */
                after?: components["parameters"]["After"];
                /** @description Only entries before this number. */
                before?: components["parameters"]["Before"];
                /** @description Whether requests and responses have their bodies. If false, each `body` is null. */
                bodies?: boolean;
                /** @description Whether the response has `counts`, by class of status. */
                counts?: boolean;
                /** @description Only calls with the credential of this name, such as `partner.prepaid`. */
                credential?: string;
                /** @description Only calls that this fault changed, or `*` for any. */
                fault?: string;
                /** @description Only calls of this interface, such as `partner`. */
                interface?: string;
                limit?: components["parameters"]["Limit"];
                /** @description Only calls of this operationId. */
                operation?: string;
                /**
                 * @description Whether the list starts with the oldest or the newest entries. For the next page, pass `next` as `after` or as
                 *     `before`.
                 */
                order?: components["parameters"]["Order"];
                /** @description Only entries that contain this text in a name, an id or another text, in any letter case. */
                q?: components["parameters"]["Text"];
                /**
                 * @description Only calls with this status, such as `402`, or of this class, such as `4xx`. `dropped` means without a
                 *     response.
                 */
                status?: string;
            };
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Calls, in order. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        calls: components["schemas"]["LoggedCall"][];
                        counts?: {
                            [key: string]: number;
                        };
                        dropped: number;
                        next: components["schemas"]["Next"];
                    };
                };
            };
            /** @description A parameter or the body is invalid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The control token is missing or wrong. */
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
            /** @description The `Host` is not the simulator's own, or the `Origin` is foreign. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such world. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The requested part was dropped. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getCall: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                seq: number;
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The call. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LoggedCall"];
                };
            };
            /** @description A parameter is invalid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The control token is missing or wrong. */
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
            /** @description The `Host` is not the simulator's own, or the `Origin` is foreign. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such world or call. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The requested part was dropped. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getCallEffects: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                seq: number;
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What the call changed. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CallEffects"];
                };
            };
            /** @description A parameter is invalid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The control token is missing or wrong. */
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
            /** @description The `Host` is not the simulator's own, or the `Origin` is foreign. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such world or call. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The requested part was dropped. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getCallScenario: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                seq: number;
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A scenario file. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/yaml": string;
                };
            };
            /** @description A parameter is invalid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The control token is missing or wrong. */
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
            /** @description The `Host` is not the simulator's own, or the `Origin` is foreign. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such world or call. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The requested part was dropped. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getScenario: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A scenario file to play or replay. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/yaml": string;
                };
            };
            /** @description A parameter is invalid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The control token is missing or wrong. */
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
            /** @description The `Host` is not the simulator's own, or the `Origin` is foreign. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such world. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The beginning was dropped, or an advance waits for a held delivery. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Deliveries are still in flight after the longest wait, because a receiver hangs. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listCampaigns: {
        parameters: {
            query?: {
                /** @description Only entries after this number. */
                after?: components["parameters"]["After"];
                /** @description Only entries before this number. */
                before?: components["parameters"]["Before"];
                /** @description Whether the response has `counts`, by status, of all entries that match the other filters. */
                counts?: components["parameters"]["Counts"];
                limit?: components["parameters"]["Limit"];
                /**
                 * @description Whether the list starts with the oldest or the newest entries. For the next page, pass `next` as `after` or as
                 *     `before`.
                 */
                order?: components["parameters"]["Order"];
                /** @description The number of entries to return of each status, for a board. `limit` is ignored, and there is no next page. */
                per_status?: components["parameters"]["PerStatus"];
                /** @description Only entries that contain this text in a name, an id or another text, in any letter case. */
                q?: components["parameters"]["Text"];
                /** @description Only campaigns with this status. */
                status?: components["schemas"]["CampaignStatus"];
            };
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Campaigns, in order of creation. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        campaigns: components["schemas"]["Campaign"][];
                        counts?: {
                            [key: string]: number;
                        };
                        next: components["schemas"]["Next"];
                    };
                };
            };
            /** @description A parameter or the body is invalid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The control token is missing or wrong. */
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
            /** @description The `Host` is not the simulator's own, or the `Origin` is foreign. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such world. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getCampaign: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The public id of a record, of any account or team. */
                id: components["parameters"]["RecordId"];
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The campaign with its details. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The batches of a large campaign. */
                        batches: {
                            number: number;
                            paid_at: components["schemas"]["InstantOrNull"];
                            prepared_at: components["schemas"]["InstantOrNull"];
                            recipient_count: number;
                            status: string;
                            /** @description Null until the batch is prepared. */
                            total_cents: number | null;
                        }[];
                        campaign: components["schemas"]["Campaign"];
                        /** @description The timers that are due next, in order. */
                        due: {
                            because: string;
                            due: components["schemas"]["Instant"];
                            kind: string;
                            subject: components["schemas"]["RecordSubject"];
                        }[];
                        /** @description The newest 50 events about the record, newest first. */
                        events: {
                            at: components["schemas"]["Instant"];
                            id: string;
                            seq: number;
                            type: string;
                        }[];
                        /** @description The items that each recipient gets. */
                        items: {
                            code: string;
                            name: string;
                            price_cents: number;
                            quantity: number;
                        }[];
                        money: components["schemas"]["PlacedMoney"];
                        recipient_count: number;
                        /** @description The parcels of the first 50 recipients. `GET /parcels` lists them all. */
                        recipients: components["schemas"]["Parcel"][];
                        timeline: components["schemas"]["TimelineStep"][];
                    };
                };
            };
            /** @description A parameter or the body is invalid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The control token is missing or wrong. */
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
            /** @description The `Host` is not the simulator's own, or the `Origin` is foreign. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such world or campaign. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listCatalogue: {
        parameters: {
            query?: {
                /** @description Only entries after this number. */
                after?: components["parameters"]["After"];
                /** @description Only entries before this number. */
                before?: components["parameters"]["Before"];
                limit?: components["parameters"]["Limit"];
                /**
                 * @description Whether the list starts with the oldest or the newest entries. For the next page, pass `next` as `after` or as
                 *     `before`.
                 */
                order?: components["parameters"]["Order"];
                /** @description Only entries that contain this text in a name, an id or another text, in any letter case. */
                q?: components["parameters"]["Text"];
            };
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Products, in order of creation. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        catalogue: components["schemas"]["Product"][];
                        next: components["schemas"]["Next"];
                    };
                };
            };
            /** @description A parameter or the body is invalid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The control token is missing or wrong. */
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
            /** @description The `Host` is not the simulator's own, or the `Origin` is foreign. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such world. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listCertificates: {
        parameters: {
            query?: {
                /** @description Only entries after this number. */
                after?: components["parameters"]["After"];
                /** @description Only entries before this number. */
                before?: components["parameters"]["Before"];
                /** @description Whether the response has `counts`, by status, of all entries that match the other filters. */
                counts?: components["parameters"]["Counts"];
                limit?: components["parameters"]["Limit"];
                /**
                 * @description Whether the list starts with the oldest or the newest entries. For the next page, pass `next` as `after` or as
                 *     `before`.
                 */
                order?: components["parameters"]["Order"];
                /** @description Only entries that contain this text in a name, an id or another text, in any letter case. */
                q?: components["parameters"]["Text"];
                /** @description Only entries with this status. */
                status?: "pending_review" | "accepted" | "rejected";
            };
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Certificates of every team and sandbox. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        certificates: components["schemas"]["Certificate"][];
                        counts?: {
                            [key: string]: number;
                        };
                        next: components["schemas"]["Next"];
                    };
                };
            };
            /** @description A parameter or the body is invalid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The control token is missing or wrong. */
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
            /** @description The `Host` is not the simulator's own, or the `Origin` is foreign. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such world. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listChanges: {
        parameters: {
            query?: {
                /** @description Only entries after this number. */
                after?: components["parameters"]["After"];
                /** @description Where to start without `after`: at the oldest change that is kept, or after the latest change (`now`). */
                from?: "start" | "now";
                limit?: components["parameters"]["Limit"];
                /** @description The number of real seconds to wait for a change. */
                wait?: number;
            };
            header?: {
                /** @description The `after` of a client that lost its connection. It takes precedence over the query. */
                "Last-Event-ID"?: string;
            };
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Changes, in order. */
            200: {
                headers: {
                    /** @description Caches do not keep events. */
                    "Cache-Control"?: "no-store";
                    /** @description Proxies pass events on at once. */
                    "X-Accel-Buffering"?: "no";
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        changes: components["schemas"]["Change"][];
                        /** @description The number of the last change that was dropped. */
                        dropped: number;
                        /** @description The `after` of the next call. */
                        next: number;
                    };
                    "text/event-stream": string;
                };
            };
            /** @description A parameter or the body is invalid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The control token is missing or wrong. */
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
            /** @description The `Host` is not the simulator's own, or the `Origin` is foreign. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such world. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The world was deleted in the meantime. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many calls wait for changes or stream them. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getClaimLink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The token at the end of a claim link. */
                token: string;
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The link. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClaimLink"];
                };
            };
            /** @description A parameter or the body is invalid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The control token is missing or wrong. */
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
            /** @description The `Host` is not the simulator's own, or the `Origin` is foreign. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such world or link. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getClock: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The clock. `next_due` is the instant at which the next timer fires, including the hourly run. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClockState"];
                };
            };
            /** @description A parameter is invalid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The control token is missing or wrong. */
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
            /** @description The `Host` is not the simulator's own, or the `Origin` is foreign. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such world. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    setClock: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Pace"];
            };
        };
        responses: {
            /** @description The clock. `next_due` is the instant at which the next timer fires, including the hourly run. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClockState"];
                };
            };
            /** @description A parameter or the body is invalid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The control token is missing or wrong. */
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
            /** @description The `Host` is not the simulator's own, or the `Origin` is foreign. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such world. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description An advance of the world waits for a held delivery, or the world was deleted in the meantime. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Deliveries are still in flight after the longest wait, because a receiver hangs. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    advanceClock: {
        parameters: {
            query?: {
                /** @description Whether the response lists every timer that fired, including hourly runs. */
                fired?: boolean;
            };
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AdvanceRequest"];
            };
        };
        responses: {
            /** @description What happened during the advance. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Advance"];
                };
            };
            /** @description A parameter or the body is invalid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The control token is missing or wrong. */
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
            /** @description The `Host` is not the simulator's own, or the `Origin` is foreign. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such world. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /**
             * @description The instant is in the past or after the year 9999, another advance is in progress, or there were too many events. In the last case
             *     `details` has `now`, `fired_count`, `hourly_runs` and `busiest`, and everything up to `now` has happened.
             */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Deliveries are still in flight after the longest wait, because a receiver hangs. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    cancelAdvance: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The advance will end. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @constant
                         * @enum {boolean}
                         */
                        canceled: true;
                    };
                };
            };
            /** @description A parameter is invalid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The control token is missing or wrong. */
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
            /** @description The `Host` is not the simulator's own, or the `Origin` is foreign. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such world. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description No advance of this world is in progress. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listContacts: {
        parameters: {
            query?: {
                /** @description Only entries after this number. */
                after?: components["parameters"]["After"];
                /** @description Only entries before this number. */
                before?: components["parameters"]["Before"];
                limit?: components["parameters"]["Limit"];
                /**
                 * @description Whether the list starts with the oldest or the newest entries. For the next page, pass `next` as `after` or as
                 *     `before`.
                 */
                order?: components["parameters"]["Order"];
                /** @description Only contacts of this provider. */
                provider?: string;
                /** @description Only entries that contain this text in a name, an id or another text, in any letter case. */
                q?: components["parameters"]["Text"];
            };
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Contacts, including those of providers that are down. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        contacts: components["schemas"]["Contact"][];
                        next: components["schemas"]["Next"];
                    };
                };
            };
            /** @description A parameter or the body is invalid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The control token is missing or wrong. */
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
            /** @description The `Host` is not the simulator's own, or the `Origin` is foreign. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such world. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getCoverage: {
        parameters: {
            query?: {
                /** @description Whether the answer has the next steps, which are most of its size. */
                next?: boolean;
            };
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Items by area, next steps, details, and the facts from which several reports can be merged. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Coverage"];
                };
            };
            /** @description A parameter is invalid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The control token is missing or wrong. */
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
            /** @description The `Host` is not the simulator's own, or the `Origin` is foreign. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such world. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The world was deleted in the meantime. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listDeliveries: {
        parameters: {
            query?: {
                /** @description Only entries after this number. */
                after?: components["parameters"]["After"];
                /** @description Only entries before this number. */
                before?: components["parameters"]["Before"];
                /** @description Whether the response has `counts`, by outcome, of all attempts that are kept. */
                counts?: boolean;
                /** @description Only attempts to the endpoint with this id. */
                endpoint?: number;
                /** @description Only attempts of the event with this id. */
                event?: string;
                /** @description Only this host. */
                host?: string;
                limit?: components["parameters"]["Limit"];
                /**
                 * @description Whether the list starts with the oldest or the newest entries. For the next page, pass `next` as `after` or as
                 *     `before`.
                 */
                order?: components["parameters"]["Order"];
                /** @description Only this outcome. `failed` means any outcome except `delivered`. */
                outcome?: "delivered" | "http_status" | "timeout" | "dns_error" | "connection_refused" | "connection_reset" | "tls_error" | "blocked_address" | "refused" | "failed" | "in_flight";
                /** @description Only this event type. */
                type?: string;
            };
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Attempts. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        counts?: {
                            [key: string]: number;
                        };
                        deliveries: components["schemas"]["Delivery"][];
                        next: components["schemas"]["Next"];
                    };
                };
            };
            /** @description A parameter or the body is invalid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The control token is missing or wrong. */
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
            /** @description The `Host` is not the simulator's own, or the `Origin` is foreign. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such world or event. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The requested part was dropped, or an advance waits for a held delivery. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Deliveries are still in flight after the longest wait, because a receiver hangs. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                seq: number;
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The attempt. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryDetail"];
                };
            };
            /** @description A parameter is invalid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The control token is missing or wrong. */
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
            /** @description The `Host` is not the simulator's own, or the `Origin` is foreign. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such world or attempt. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    answerDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                seq: number;
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Reaction"];
            };
        };
        responses: {
            /** @description The attempt with its response. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Held"];
                };
            };
            /** @description A receiver cannot respond like this. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The control token is missing or wrong. */
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
            /** @description The `Host` is not the simulator's own, or the `Origin` is foreign. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such world or attempt. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The attempt is not held. It may have been answered already. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    noteAppAnswer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                seq: number;
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The text of the answer, of which the beginning is kept. */
                    body?: string;
                    status: number;
                };
            };
        };
        responses: {
            /** @description What was kept. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        seq: number;
                        status: number;
                    };
                };
            };
            /** @description It is not an answer. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The control token is missing or wrong. */
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
            /** @description The `Host` is not the simulator's own, or the `Origin` is foreign. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such world or attempt. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The world was deleted meanwhile. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getDeliveryRequest: {
        parameters: {
            query?: {
                /** @description With `now` the signature has the current real time. */
                sign?: "now" | "sent";
            };
            header?: never;
            path: {
                seq: number;
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookRequest"];
                };
            };
            /** @description A parameter or the body is invalid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The control token is missing or wrong. */
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
            /** @description The `Host` is not the simulator's own, or the `Origin` is foreign. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such world or attempt. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    resendDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                seq: number;
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The new attempt. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Delivery"];
                };
            };
            /** @description A parameter is invalid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The control token is missing or wrong. */
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
            /** @description The `Host` is not the simulator's own, or the `Origin` is foreign. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such world or attempt. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The attempt was a ping, or its endpoint is disabled. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no signing key. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    verifyDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                seq: number;
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    secret?: string;
                };
            };
        };
        responses: {
            /** @description The steps that a receiver with this secret takes. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Verification"];
                };
            };
            /** @description A parameter or the body is invalid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The control token is missing or wrong. */
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
            /** @description The `Host` is not the simulator's own, or the `Origin` is foreign. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such world or attempt. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listHeld: {
        parameters: {
            query?: {
                /** @description Only entries after this number. */
                after?: components["parameters"]["After"];
                limit?: components["parameters"]["Limit"];
                /** @description Wait until an attempt is held, or until no advance is in progress. */
                wait?: boolean;
            };
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Attempts, in order. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        held: components["schemas"]["Held"][];
                        next: components["schemas"]["Next"];
                    };
                };
            };
            /** @description A parameter or the body is invalid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The control token is missing or wrong. */
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
            /** @description The `Host` is not the simulator's own, or the `Origin` is foreign. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such world. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The world was deleted in the meantime. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    diffWorlds: {
        parameters: {
            query: {
                /** @description Only entries after this number. */
                after?: components["parameters"]["After"];
                /** @description Only records of this kind. */
                kind?: string;
                limit?: components["parameters"]["Limit"];
                /** @description The id of the other world. */
                with: string;
            };
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The differences. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorldDiff"];
                };
            };
            /** @description A parameter is invalid, or the two worlds are the same. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The control token is missing or wrong. */
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
            /** @description The `Host` is not the simulator's own, or the `Origin` is foreign. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such world. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description One of the worlds was deleted in the meantime. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listEndpoints: {
        parameters: {
            query?: {
                /** @description Only entries after this number. */
                after?: components["parameters"]["After"];
                limit?: components["parameters"]["Limit"];
                /** @description Only entries that contain this text in a name, an id or another text, in any letter case. */
                q?: components["parameters"]["Text"];
            };
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Endpoints of all accounts and teams, in order of creation. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        endpoints: components["schemas"]["Endpoint"][];
                        next: components["schemas"]["Next"];
                    };
                };
            };
            /** @description A parameter or the body is invalid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The control token is missing or wrong. */
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
            /** @description The `Host` is not the simulator's own, or the `Origin` is foreign. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such world. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description An endpoint's id. */
                id: number;
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The endpoint. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EndpointDetail"];
                };
            };
            /** @description A parameter is invalid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The control token is missing or wrong. */
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
            /** @description The `Host` is not the simulator's own, or the `Origin` is foreign. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such world or endpoint. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    testEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description An endpoint's id. */
                id: number;
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The attempt. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Delivery"];
                };
            };
            /** @description A parameter is invalid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The control token is missing or wrong. */
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
            /** @description The `Host` is not the simulator's own, or the `Origin` is foreign. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such world or endpoint. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The endpoint is disabled. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no signing key. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listEvents: {
        parameters: {
            query?: {
                /** @description Only entries after this number. */
                after?: components["parameters"]["After"];
                /** @description Only entries before this number. */
                before?: components["parameters"]["Before"];
                /** @description Whether the response has `counts`, by status, of all entries that match the other filters. */
                counts?: components["parameters"]["Counts"];
                limit?: components["parameters"]["Limit"];
                /**
                 * @description Whether the list starts with the oldest or the newest entries. For the next page, pass `next` as `after` or as
                 *     `before`.
                 */
                order?: components["parameters"]["Order"];
                /** @description Only entries that contain this text in a name, an id or another text, in any letter case. */
                q?: components["parameters"]["Text"];
                /** @description Only events with this status. */
                status?: components["schemas"]["EventStatus"];
                /** @description Only this event type. */
                type?: string;
            };
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Events, in order. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        counts?: {
                            [key: string]: number;
                        };
                        events: components["schemas"]["Event"][];
                        next: components["schemas"]["Next"];
                    };
                };
            };
            /** @description A parameter or the body is invalid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The control token is missing or wrong. */
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
            /** @description The `Host` is not the simulator's own, or the `Origin` is foreign. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such world. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getEvent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The event's id. */
                id: string;
                /** @description A world's id. */
                w: components["parameters"]["World"];
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
                    "application/json": components["schemas"]["EventDetail"];
                };
            };
            /** @description A parameter is invalid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The control token is missing or wrong. */
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
            /** @description The `Host` is not the simulator's own, or the `Origin` is foreign. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such world or event. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listFaults: {
        parameters: {
            query?: {
                /** @description Only entries after this number. */
                after?: components["parameters"]["After"];
                limit?: components["parameters"]["Limit"];
            };
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Faults. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        faults: components["schemas"]["Fault"][];
                        next: components["schemas"]["Next"];
                    };
                };
            };
            /** @description A parameter or the body is invalid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The control token is missing or wrong. */
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
            /** @description The `Host` is not the simulator's own, or the `Origin` is foreign. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such world. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createFault: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FaultRequest"];
            };
        };
        responses: {
            /** @description The fault. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Fault"];
                };
            };
            /** @description The fault could never act, or has no valid effect. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The control token is missing or wrong. */
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
            /** @description The `Host` is not the simulator's own, or the `Origin` is foreign. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such world. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteFaults: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The ids of the deleted faults. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        deleted: string[];
                    };
                };
            };
            /** @description A parameter is invalid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The control token is missing or wrong. */
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
            /** @description The `Host` is not the simulator's own, or the `Origin` is foreign. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such world. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteFault: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The world was deleted. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        deleted: string;
                    };
                };
            };
            /** @description A parameter is invalid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The control token is missing or wrong. */
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
            /** @description The `Host` is not the simulator's own, or the `Origin` is foreign. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such world or fault. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listFaultChoices: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The choices. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        credentials: string[];
                        effects: {
                            acts_on: string;
                            does: string;
                            name: string;
                            /** @description Whether it changes deliveries instead of calls. */
                            of_deliveries: boolean;
                            options: {
                                name: string;
                                takes: string;
                            }[];
                            /** @description The values that it takes. */
                            takes: string;
                            /** @description All values, if they are few. */
                            values: (string | boolean)[];
                        }[];
                        events: string[];
                        /** @description The hosts of active endpoints. */
                        hosts: string[];
                        interfaces: string[];
                        operations: {
                            /** @description The effects that can act on it. */
                            effects: string[];
                            errors: {
                                codes: string[];
                                status: number;
                            }[];
                            interface: string;
                            method: string;
                            operation: string;
                            path: string;
                            summary: string;
                        }[];
                    };
                };
            };
            /** @description A parameter is invalid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The control token is missing or wrong. */
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
            /** @description The `Host` is not the simulator's own, or the `Origin` is foreign. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such world. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getFingerprint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The fingerprint. `calls` counts the client calls so far. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        calls: number;
                        now: components["schemas"]["Instant"];
                        sha256: string;
                    };
                };
            };
            /** @description A parameter is invalid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The control token is missing or wrong. */
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
            /** @description The `Host` is not the simulator's own, or the `Origin` is foreign. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such world. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description An advance of the world waits for a held delivery, or the world was deleted in the meantime. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Deliveries are still in flight after the longest wait, because a receiver hangs. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    forkWorld: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    id?: components["schemas"]["WorldId"];
                };
            };
        };
        responses: {
            /** @description The world. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["World"];
                };
            };
            /** @description The body or the id is invalid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The control token is missing or wrong. */
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
            /** @description The `Host` is not the simulator's own, or the `Origin` is foreign. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such world. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The id is taken, there are too many worlds, or an advance waits for a held delivery. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Deliveries are still in flight after the longest wait, because a receiver hangs. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listGifts: {
        parameters: {
            query?: {
                /** @description Only entries after this number. */
                after?: components["parameters"]["After"];
                /** @description Only entries before this number. */
                before?: components["parameters"]["Before"];
                /** @description Whether the response has `counts`, by status, of all entries that match the other filters. */
                counts?: components["parameters"]["Counts"];
                limit?: components["parameters"]["Limit"];
                /**
                 * @description Whether the list starts with the oldest or the newest entries. For the next page, pass `next` as `after` or as
                 *     `before`.
                 */
                order?: components["parameters"]["Order"];
                /** @description The number of entries to return of each status, for a board. `limit` is ignored, and there is no next page. */
                per_status?: components["parameters"]["PerStatus"];
                /** @description Only entries that contain this text in a name, an id or another text, in any letter case. */
                q?: components["parameters"]["Text"];
                /** @description Only gifts with this status. */
                status?: components["schemas"]["GiftStatus"];
            };
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Gifts, in order of creation. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        counts?: {
                            [key: string]: number;
                        };
                        gifts: components["schemas"]["Gift"][];
                        next: components["schemas"]["Next"];
                    };
                };
            };
            /** @description A parameter or the body is invalid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The control token is missing or wrong. */
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
            /** @description The `Host` is not the simulator's own, or the `Origin` is foreign. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such world. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getGift: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The public id of a record, of any account or team. */
                id: components["parameters"]["RecordId"];
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The gift with its details. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The batches of a large campaign. */
                        batches: {
                            number: number;
                            paid_at: components["schemas"]["InstantOrNull"];
                            prepared_at: components["schemas"]["InstantOrNull"];
                            recipient_count: number;
                            status: string;
                            /** @description Null until the batch is prepared. */
                            total_cents: number | null;
                        }[];
                        /** @description The timers that are due next, in order. */
                        due: {
                            because: string;
                            due: components["schemas"]["Instant"];
                            kind: string;
                            subject: components["schemas"]["RecordSubject"];
                        }[];
                        /** @description The newest 50 events about the record, newest first. */
                        events: {
                            at: components["schemas"]["Instant"];
                            id: string;
                            seq: number;
                            type: string;
                        }[];
                        gift: components["schemas"]["Gift"];
                        /** @description The items that each recipient gets. */
                        items: {
                            code: string;
                            name: string;
                            price_cents: number;
                            quantity: number;
                        }[];
                        money: components["schemas"]["PlacedMoney"];
                        recipient_count: number;
                        /** @description The parcels of the first 50 recipients. `GET /parcels` lists them all. */
                        recipients: components["schemas"]["Parcel"][];
                        timeline: components["schemas"]["TimelineStep"][];
                    };
                };
            };
            /** @description A parameter or the body is invalid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The control token is missing or wrong. */
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
            /** @description The `Host` is not the simulator's own, or the `Origin` is foreign. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such world or gift. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listInvoices: {
        parameters: {
            query?: {
                /** @description Only entries after this number. */
                after?: components["parameters"]["After"];
                /** @description Only entries before this number. */
                before?: components["parameters"]["Before"];
                /** @description Whether the response has `counts`, by status, of all entries that match the other filters. */
                counts?: components["parameters"]["Counts"];
                limit?: components["parameters"]["Limit"];
                /**
                 * @description Whether the list starts with the oldest or the newest entries. For the next page, pass `next` as `after` or as
                 *     `before`.
                 */
                order?: components["parameters"]["Order"];
                /** @description Only entries that contain this text in a name, an id or another text, in any letter case. */
                q?: components["parameters"]["Text"];
                /** @description Only entries with this status. */
                status?: "open" | "paid" | "void";
            };
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Invoices of every team and sandbox. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        counts?: {
                            [key: string]: number;
                        };
                        invoices: components["schemas"]["Invoice"][];
                        next: components["schemas"]["Next"];
                    };
                };
            };
            /** @description A parameter or the body is invalid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The control token is missing or wrong. */
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
            /** @description The `Host` is not the simulator's own, or the `Origin` is foreign. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such world. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getInvoice: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description An invoice's id. */
                id: string;
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The entry of the list. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Invoice"];
                };
            };
            /** @description A parameter or the body is invalid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The control token is missing or wrong. */
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
            /** @description The `Host` is not the simulator's own, or the `Origin` is foreign. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such world or entry. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listKeys: {
        parameters: {
            query?: {
                /** @description Only entries after this number. */
                after?: components["parameters"]["After"];
                /** @description Only entries before this number. */
                before?: components["parameters"]["Before"];
                /** @description Only keys of this interface. */
                interface?: "partner" | "team";
                limit?: components["parameters"]["Limit"];
                /**
                 * @description Whether the list starts with the oldest or the newest entries. For the next page, pass `next` as `after` or as
                 *     `before`.
                 */
                order?: components["parameters"]["Order"];
                /** @description Only entries that contain this text in a name, an id or another text, in any letter case. */
                q?: components["parameters"]["Text"];
            };
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Keys, including revoked ones. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        keys: components["schemas"]["Key"][];
                        next: components["schemas"]["Next"];
                    };
                };
            };
            /** @description A parameter or the body is invalid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The control token is missing or wrong. */
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
            /** @description The `Host` is not the simulator's own, or the `Origin` is foreign. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such world. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["KeyRequest"];
            };
        };
        responses: {
            /** @description The key with its full text. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Key"];
                };
            };
            /** @description The request does not describe a valid key. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The control token is missing or wrong. */
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
            /** @description The `Host` is not the simulator's own, or the `Origin` is foreign. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such world, account or team. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The name is taken. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A key's full text, or its name in the table of credentials (`partner.prepaid`). */
                key: string;
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Key"];
                };
            };
            /** @description A parameter is invalid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The control token is missing or wrong. */
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
            /** @description The `Host` is not the simulator's own, or the `Origin` is foreign. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such world or key. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    revokeKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A key's full text, or its name in the table of credentials (`partner.prepaid`). */
                key: string;
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Key"];
                };
            };
            /** @description A parameter is invalid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The control token is missing or wrong. */
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
            /** @description The `Host` is not the simulator's own, or the `Origin` is foreign. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such world or key. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    changeKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A key's full text, or its name in the table of credentials (`partner.prepaid`). */
                key: string;
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    capabilities?: components["schemas"]["Capabilities"];
                    pay_limits?: components["schemas"]["PayLimitsRequest"];
                    plan?: components["schemas"]["Plan"];
                    scopes?: components["schemas"]["Scopes"];
                };
            };
        };
        responses: {
            /** @description The key. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Key"];
                };
            };
            /** @description A parameter or the body is invalid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The control token is missing or wrong. */
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
            /** @description The `Host` is not the simulator's own, or the `Origin` is foreign. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such world or key. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listLedger: {
        parameters: {
            query?: {
                /** @description Only entries after this number. */
                after?: components["parameters"]["After"];
                /** @description Only entries before this number. */
                before?: components["parameters"]["Before"];
                limit?: components["parameters"]["Limit"];
                /**
                 * @description Whether the list starts with the oldest or the newest entries. For the next page, pass `next` as `after` or as
                 *     `before`.
                 */
                order?: components["parameters"]["Order"];
            };
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Entries, in order. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        ledger: components["schemas"]["LedgerEntry"][];
                        next: components["schemas"]["Next"];
                    };
                };
            };
            /** @description A parameter or the body is invalid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The control token is missing or wrong. */
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
            /** @description The `Host` is not the simulator's own, or the `Origin` is foreign. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such world. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listMail: {
        parameters: {
            query?: {
                /** @description Only entries after this number. */
                after?: components["parameters"]["After"];
                /** @description Only entries before this number. */
                before?: components["parameters"]["Before"];
                /** @description Only mail of this kind. */
                kind?: string;
                limit?: components["parameters"]["Limit"];
                /**
                 * @description Whether the list starts with the oldest or the newest entries. For the next page, pass `next` as `after` or as
                 *     `before`.
                 */
                order?: components["parameters"]["Order"];
                /** @description Only entries that contain this text in a name, an id or another text, in any letter case. */
                q?: components["parameters"]["Text"];
                /** @description Only mail to this address. */
                to?: string;
            };
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Mail, in order. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        mail: components["schemas"]["Mail"][];
                        next: components["schemas"]["Next"];
                    };
                };
            };
            /** @description A parameter or the body is invalid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The control token is missing or wrong. */
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
            /** @description The `Host` is not the simulator's own, or the `Origin` is foreign. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such world. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getMail: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The mail's number in the list. */
                seq: number;
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The entry of the list. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Mail"];
                };
            };
            /** @description A parameter or the body is invalid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The control token is missing or wrong. */
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
            /** @description The `Host` is not the simulator's own, or the `Origin` is foreign. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such world or entry. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readMail: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The mail's number in the list. */
                seq: number;
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The mail. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Mail"];
                };
            };
            /** @description A parameter is invalid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The control token is missing or wrong. */
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
            /** @description The `Host` is not the simulator's own, or the `Origin` is foreign. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such world or entry. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listMoves: {
        parameters: {
            query: {
                /** @description The record's id; for a parcel, its `order_id`. */
                id: string;
                kind: "order" | "gift" | "campaign" | "parcel" | "approval" | "payment" | "invoice" | "certificate" | "preview" | "proof";
            };
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Moves, those of the record itself first. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        moves: components["schemas"]["Move"][];
                        next: null;
                        states: {
                            machine: string;
                            states: {
                                [key: string]: number;
                            };
                        }[];
                    };
                };
            };
            /** @description A parameter or the body is invalid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The control token is missing or wrong. */
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
            /** @description The `Host` is not the simulator's own, or the `Origin` is foreign. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such world or record. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listMuseumDays: {
        parameters: {
            query?: {
                /** @description Only entries after this number. */
                after?: components["parameters"]["After"];
                /** @description The first day, which has the number 1. Default: today. */
                from?: string;
                limit?: components["parameters"]["Limit"];
            };
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Days, in order. Hours are published for a year. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        days: components["schemas"]["MuseumDay"][];
                        next: components["schemas"]["Next"];
                    };
                };
            };
            /** @description A parameter or the body is invalid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The control token is missing or wrong. */
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
            /** @description The `Host` is not the simulator's own, or the `Origin` is foreign. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such world. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listMuseumEvents: {
        parameters: {
            query?: {
                /** @description Only entries after this number. */
                after?: components["parameters"]["After"];
                /** @description Only entries before this number. */
                before?: components["parameters"]["Before"];
                limit?: components["parameters"]["Limit"];
                /**
                 * @description Whether the list starts with the oldest or the newest entries. For the next page, pass `next` as `after` or as
                 *     `before`.
                 */
                order?: components["parameters"]["Order"];
                /** @description Only entries that contain this text in a name, an id or another text, in any letter case. */
                q?: components["parameters"]["Text"];
            };
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Special events, in order of creation. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        events: components["schemas"]["MuseumEvent"][];
                        next: components["schemas"]["Next"];
                    };
                };
            };
            /** @description A parameter or the body is invalid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The control token is missing or wrong. */
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
            /** @description The `Host` is not the simulator's own, or the `Origin` is foreign. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such world. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listMuseumTickets: {
        parameters: {
            query?: {
                /** @description Only entries after this number. */
                after?: components["parameters"]["After"];
                /** @description Only entries before this number. */
                before?: components["parameters"]["Before"];
                /** @description Only tickets for this special event. */
                event_id?: string;
                limit?: components["parameters"]["Limit"];
                /**
                 * @description Whether the list starts with the oldest or the newest entries. For the next page, pass `next` as `after` or as
                 *     `before`.
                 */
                order?: components["parameters"]["Order"];
                /** @description Only entries that contain this text in a name, an id or another text, in any letter case. */
                q?: components["parameters"]["Text"];
            };
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Tickets, in the order in which they were sold. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        next: components["schemas"]["Next"];
                        tickets: components["schemas"]["MuseumTicket"][];
                    };
                };
            };
            /** @description A parameter or the body is invalid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The control token is missing or wrong. */
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
            /** @description The `Host` is not the simulator's own, or the `Origin` is foreign. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such world. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getMuseumTicket: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A ticket's id. */
                id: string;
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The entry of the list. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MuseumTicket"];
                };
            };
            /** @description A parameter or the body is invalid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The control token is missing or wrong. */
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
            /** @description The `Host` is not the simulator's own, or the `Origin` is foreign. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such world or entry. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listOrders: {
        parameters: {
            query?: {
                /** @description Only entries after this number. */
                after?: components["parameters"]["After"];
                /** @description Only entries before this number. */
                before?: components["parameters"]["Before"];
                /** @description Whether the response has `counts`, by status, of all entries that match the other filters. */
                counts?: components["parameters"]["Counts"];
                limit?: components["parameters"]["Limit"];
                /**
                 * @description Whether the list starts with the oldest or the newest entries. For the next page, pass `next` as `after` or as
                 *     `before`.
                 */
                order?: components["parameters"]["Order"];
                /** @description The number of entries to return of each status, for a board. `limit` is ignored, and there is no next page. */
                per_status?: components["parameters"]["PerStatus"];
                /** @description Only entries that contain this text in a name, an id or another text, in any letter case. */
                q?: components["parameters"]["Text"];
                /** @description Only orders with this status. */
                status?: components["schemas"]["OrderStatus"];
            };
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Orders, in order of creation. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        counts?: {
                            [key: string]: number;
                        };
                        next: components["schemas"]["Next"];
                        orders: components["schemas"]["Order"][];
                    };
                };
            };
            /** @description A parameter or the body is invalid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The control token is missing or wrong. */
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
            /** @description The `Host` is not the simulator's own, or the `Origin` is foreign. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such world. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getOrder: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The public id of a record, of any account or team. */
                id: components["parameters"]["RecordId"];
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The order with its details. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The batches of a large campaign. */
                        batches: {
                            number: number;
                            paid_at: components["schemas"]["InstantOrNull"];
                            prepared_at: components["schemas"]["InstantOrNull"];
                            recipient_count: number;
                            status: string;
                            /** @description Null until the batch is prepared. */
                            total_cents: number | null;
                        }[];
                        /** @description The timers that are due next, in order. */
                        due: {
                            because: string;
                            due: components["schemas"]["Instant"];
                            kind: string;
                            subject: components["schemas"]["RecordSubject"];
                        }[];
                        /** @description The newest 50 events about the record, newest first. */
                        events: {
                            at: components["schemas"]["Instant"];
                            id: string;
                            seq: number;
                            type: string;
                        }[];
                        /** @description The items that each recipient gets. */
                        items: {
                            code: string;
                            name: string;
                            price_cents: number;
                            quantity: number;
                        }[];
                        money: components["schemas"]["PlacedMoney"];
                        order: components["schemas"]["Order"];
                        recipient_count: number;
                        /** @description The parcels of the first 50 recipients. `GET /parcels` lists them all. */
                        recipients: components["schemas"]["Parcel"][];
                        timeline: components["schemas"]["TimelineStep"][];
                    };
                };
            };
            /** @description A parameter or the body is invalid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The control token is missing or wrong. */
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
            /** @description The `Host` is not the simulator's own, or the `Origin` is foreign. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such world or order. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listParcels: {
        parameters: {
            query?: {
                /** @description Only entries after this number. */
                after?: components["parameters"]["After"];
                /** @description Only this large campaign. */
                campaign_id?: string;
                /** @description Only this gift. */
                gift_id?: string;
                limit?: components["parameters"]["Limit"];
                /** @description Only this team order. */
                team_order_id?: string;
            };
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Parcels, in order of creation. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        next: components["schemas"]["Next"];
                        parcels: components["schemas"]["Parcel"][];
                    };
                };
            };
            /** @description A parameter or the body is invalid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The control token is missing or wrong. */
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
            /** @description The `Host` is not the simulator's own, or the `Origin` is foreign. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such world. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listPayments: {
        parameters: {
            query?: {
                /** @description Only entries after this number. */
                after?: components["parameters"]["After"];
                /** @description Only entries before this number. */
                before?: components["parameters"]["Before"];
                /** @description Whether the response has `counts`, by status, of all entries that match the other filters. */
                counts?: components["parameters"]["Counts"];
                limit?: components["parameters"]["Limit"];
                /**
                 * @description Whether the list starts with the oldest or the newest entries. For the next page, pass `next` as `after` or as
                 *     `before`.
                 */
                order?: components["parameters"]["Order"];
                /** @description Only entries with this status. */
                status?: "sent" | "paid" | "failed";
            };
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Payments, in order. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        counts?: {
                            [key: string]: number;
                        };
                        next: components["schemas"]["Next"];
                        payments: components["schemas"]["Payment"][];
                    };
                };
            };
            /** @description A parameter or the body is invalid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The control token is missing or wrong. */
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
            /** @description The `Host` is not the simulator's own, or the `Origin` is foreign. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such world. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listPeople: {
        parameters: {
            query?: {
                /** @description Only entries after this number. */
                after?: components["parameters"]["After"];
                /** @description Only entries before this number. */
                before?: components["parameters"]["Before"];
                limit?: components["parameters"]["Limit"];
                /**
                 * @description Whether the list starts with the oldest or the newest entries. For the next page, pass `next` as `after` or as
                 *     `before`.
                 */
                order?: components["parameters"]["Order"];
                /** @description Only entries that contain this text in a name, an id or another text, in any letter case. */
                q?: components["parameters"]["Text"];
            };
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description People of every team and sandbox. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        next: components["schemas"]["Next"];
                        people: components["schemas"]["Person"][];
                    };
                };
            };
            /** @description A parameter or the body is invalid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The control token is missing or wrong. */
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
            /** @description The `Host` is not the simulator's own, or the `Origin` is foreign. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such world. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listPreviews: {
        parameters: {
            query?: {
                /** @description Only entries after this number. */
                after?: components["parameters"]["After"];
                /** @description Only entries before this number. */
                before?: components["parameters"]["Before"];
                /** @description Whether the response has `counts`, by status, of all entries that match the other filters. */
                counts?: components["parameters"]["Counts"];
                limit?: components["parameters"]["Limit"];
                /**
                 * @description Whether the list starts with the oldest or the newest entries. For the next page, pass `next` as `after` or as
                 *     `before`.
                 */
                order?: components["parameters"]["Order"];
                /** @description Only entries with this status. */
                status?: "pending" | "ready" | "failed";
            };
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Previews of every team and sandbox. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        counts?: {
                            [key: string]: number;
                        };
                        next: components["schemas"]["Next"];
                        previews: components["schemas"]["Preview"][];
                    };
                };
            };
            /** @description A parameter or the body is invalid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The control token is missing or wrong. */
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
            /** @description The `Host` is not the simulator's own, or the `Origin` is foreign. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such world. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getPreview: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A preview's id. */
                id: string;
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The entry of the list. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Preview"];
                };
            };
            /** @description A parameter or the body is invalid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The control token is missing or wrong. */
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
            /** @description The `Host` is not the simulator's own, or the `Origin` is foreign. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such world or entry. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listProofs: {
        parameters: {
            query?: {
                /** @description Only entries after this number. */
                after?: components["parameters"]["After"];
                /** @description Only entries before this number. */
                before?: components["parameters"]["Before"];
                /** @description Whether the response has `counts`, by status, of all entries that match the other filters. */
                counts?: components["parameters"]["Counts"];
                limit?: components["parameters"]["Limit"];
                /**
                 * @description Whether the list starts with the oldest or the newest entries. For the next page, pass `next` as `after` or as
                 *     `before`.
                 */
                order?: components["parameters"]["Order"];
                /** @description Only entries that contain this text in a name, an id or another text, in any letter case. */
                q?: components["parameters"]["Text"];
                /** @description Only entries with this status. */
                status?: "awaiting_version" | "in_review" | "changes_requested" | "ready_to_sign" | "signed";
            };
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Proofs of every team and sandbox. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        counts?: {
                            [key: string]: number;
                        };
                        next: components["schemas"]["Next"];
                        proofs: components["schemas"]["Proof"][];
                    };
                };
            };
            /** @description A parameter or the body is invalid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The control token is missing or wrong. */
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
            /** @description The `Host` is not the simulator's own, or the `Origin` is foreign. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such world. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getProof: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of a proof or its order item. */
                id: string;
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The entry of the list. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Proof"];
                };
            };
            /** @description A parameter or the body is invalid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The control token is missing or wrong. */
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
            /** @description The `Host` is not the simulator's own, or the `Origin` is foreign. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such world or entry. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listReceivers: {
        parameters: {
            query?: {
                /** @description Only entries after this number. */
                after?: components["parameters"]["After"];
                limit?: components["parameters"]["Limit"];
            };
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Receivers. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        next: components["schemas"]["Next"];
                        receivers: components["schemas"]["Receiver"][];
                    };
                };
            };
            /** @description A parameter or the body is invalid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The control token is missing or wrong. */
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
            /** @description The `Host` is not the simulator's own, or the `Origin` is foreign. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such world. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    putReceiver: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A public host name, or `*` for every other host. */
                host: string;
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReceiverRequest"];
            };
        };
        responses: {
            /** @description The receiver. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Receiver"];
                };
            };
            /** @description The entry is contradictory, or forwards to another machine. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The control token is missing or wrong. */
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
            /** @description The `Host` is not the simulator's own, or the `Origin` is foreign. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such world. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteReceiver: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A public host name, or `*` for every other host. */
                host: string;
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The world was deleted. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        deleted: string;
                    };
                };
            };
            /** @description A parameter is invalid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The control token is missing or wrong. */
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
            /** @description The `Host` is not the simulator's own, or the `Origin` is foreign. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such world or receiver. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listRecipients: {
        parameters: {
            query?: {
                /** @description Only entries after this number. */
                after?: components["parameters"]["After"];
                /** @description Only entries before this number. */
                before?: components["parameters"]["Before"];
                limit?: components["parameters"]["Limit"];
                /**
                 * @description Whether the list starts with the oldest or the newest entries. For the next page, pass `next` as `after` or as
                 *     `before`.
                 */
                order?: components["parameters"]["Order"];
                /** @description Only entries that contain this text in a name, an id or another text, in any letter case. */
                q?: components["parameters"]["Text"];
            };
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Recipients, in order of creation. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        next: components["schemas"]["Next"];
                        recipients: components["schemas"]["Recipient"][];
                    };
                };
            };
            /** @description A parameter or the body is invalid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The control token is missing or wrong. */
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
            /** @description The `Host` is not the simulator's own, or the `Origin` is foreign. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such world. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    resetWorld: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The world. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["World"];
                };
            };
            /** @description A parameter is invalid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The control token is missing or wrong. */
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
            /** @description The `Host` is not the simulator's own, or the `Origin` is foreign. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such world. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The world was deleted in the meantime. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    team?: components["schemas"]["TeamName"];
                    /** @description A user of the team such as `owner` or `approver`. */
                    user: string;
                };
            };
        };
        responses: {
            /** @description The session with its full token. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            /** @description A parameter or the body is invalid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The control token is missing or wrong. */
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
            /** @description The `Host` is not the simulator's own, or the `Origin` is foreign. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such world, team or user. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getSettings: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The world's settings. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Settings"];
                };
            };
            /** @description A parameter is invalid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The control token is missing or wrong. */
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
            /** @description The `Host` is not the simulator's own, or the `Origin` is foreign. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such world. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    changeSettings: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Settings"];
            };
        };
        responses: {
            /** @description The world's settings. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Settings"];
                };
            };
            /** @description A setting is unknown (the message names the nearest known one), or its value is invalid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The control token is missing or wrong. */
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
            /** @description The `Host` is not the simulator's own, or the `Origin` is foreign. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such world. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listVerbs: {
        parameters: {
            query?: {
                /** @description Only entries after this number. */
                after?: components["parameters"]["After"];
                limit?: components["parameters"]["Limit"];
            };
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Verbs. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        next: components["schemas"]["Next"];
                        verbs: {
                            schema: Record<string, never>;
                            summary: string;
                            verb: string;
                        }[];
                    };
                };
            };
            /** @description A parameter or the body is invalid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The control token is missing or wrong. */
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
            /** @description The `Host` is not the simulator's own, or the `Origin` is foreign. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such world. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    simulateAccount: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    account_id?: number;
                    add_cents?: components["schemas"]["SignedCents"];
                    billing_mode?: components["schemas"]["BillingMode"];
                    card?: components["schemas"]["Card"];
                    card_fallback?: boolean;
                    credit_limit_cents?: components["schemas"]["Cents"];
                    daily_limit_cents?: components["schemas"]["CentsOrNull"];
                    key?: components["schemas"]["KeyName"];
                    wallet_cents?: components["schemas"]["SignedCents"];
                };
            };
        };
        responses: {
            /** @description The account as it is now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Account"];
                };
            };
            /** @description A parameter or the body is invalid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The control token is missing or wrong. */
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
            /** @description The `Host` is not the simulator's own, or the `Origin` is foreign. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such world, key or account. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    simulateApproval: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    approval_id?: components["schemas"]["OwnedId"];
                    campaign_id?: components["schemas"]["OwnedId"];
                    /** @enum {unknown} */
                    decision: "approve" | "reject" | "ask";
                    gift_id?: components["schemas"]["OwnedId"];
                    note?: string;
                    team_order_id?: components["schemas"]["OwnedId"];
                    /**
                     * @description The user name of the approver or owner who decides. The shared link of an order's seats without
                     *     names is mailed to this user. Default: no user is recorded, and the mail is sent to the team's first
                     *     approver, or else to its owner.
                     */
                    user?: string;
                };
            };
        };
        responses: {
            /** @description The approval as it is now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Approval"];
                };
            };
            /** @description A parameter or the body is invalid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The control token is missing or wrong. */
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
            /** @description The `Host` is not the simulator's own, or the `Origin` is foreign. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such world, approval, order, gift, campaign or user. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description It is already decided, there is nothing to approve, or the user may not approve. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The gift cannot be paid, and its approval is pending. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    simulateCertificate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    certificate_id: components["schemas"]["OwnedId"];
                    /** @enum {unknown} */
                    outcome: "accepted" | "rejected";
                };
            };
        };
        responses: {
            /** @description The certificate as it is now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Certificate"];
                };
            };
            /** @description A parameter or the body is invalid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The control token is missing or wrong. */
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
            /** @description The `Host` is not the simulator's own, or the `Origin` is foreign. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such world or certificate. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The certificate was already reviewed. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    simulateClaim: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    address?: components["schemas"]["AddressRequest"];
                    campaign_id?: components["schemas"]["OwnedId"];
                    /** @description For an open seat. */
                    email?: string;
                    gift_id?: components["schemas"]["OwnedId"];
                    /** @description For an open seat. */
                    name?: string;
                    recipient?: components["schemas"]["RecipientIndex"];
                    recipient_id?: components["schemas"]["RecipientId"];
                    /** @description Option ids by variation id. */
                    selection?: {
                        [key: string]: number;
                    };
                    team_order_id?: components["schemas"]["TeamOrderId"];
                    /** @description The token of a claim link, or the whole link. */
                    token?: string;
                };
            };
        };
        responses: {
            /** @description The parcel as it is now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Parcel"];
                };
            };
            /** @description A parameter or the body is invalid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The control token is missing or wrong. */
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
            /** @description The `Host` is not the simulator's own, or the `Origin` is foreign. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such world, order, recipient, shipment or link. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The order is not paid, or every open seat is taken. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The gift was claimed or canceled, or its link has expired. */
            410: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The entry is invalid; `details.errors` names the fields. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    simulateClaimLink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    campaign_id?: components["schemas"]["OwnedId"];
                    expiry_days?: number;
                    gift_id?: components["schemas"]["OwnedId"];
                    recipient?: components["schemas"]["RecipientIndex"];
                    recipient_id?: components["schemas"]["RecipientId"];
                    /**
                     * @default true
                     * @constant
                     * @enum {boolean}
                     */
                    resend?: true;
                    team_order_id?: components["schemas"]["TeamOrderId"];
                };
            };
        };
        responses: {
            /** @description The parcel as it is now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Parcel"];
                };
            };
            /** @description A parameter or the body is invalid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The control token is missing or wrong. */
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
            /** @description The `Host` is not the simulator's own, or the `Origin` is foreign. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such world, order, recipient, shipment or link. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The order is not paid, or every open seat is taken. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The gift was claimed or canceled, or its link has expired. */
            410: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    simulateCrm: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Deals of contacts that happen today, for rules of the kind `crm`. */
                    deals?: {
                        id: string;
                        /** @default contact */
                        object_type?: string;
                        /** @enum {unknown} */
                        trigger_type: "deal_won" | "stage_changed";
                    }[];
                    key?: components["schemas"]["KeyName"];
                    message?: string;
                    outage?: boolean;
                    /** @description Roster entries by work email. The provider manages the fields given, or those in `managed_fields`. */
                    people?: components["schemas"]["ManagedPerson"][];
                    provider: string;
                    team_id?: components["schemas"]["TeamName"];
                    /** @description Contacts to create or change, by `object_type` (default contact) and `id`. */
                    upsert?: components["schemas"]["CrmContact"] | components["schemas"]["CrmContact"][];
                };
            };
        };
        responses: {
            /** @description The provider as the team sees it. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        contacts: number;
                        message: string | null;
                        outage: boolean;
                        people: {
                            display_name: string;
                            id: number | string;
                            managed_fields: string[];
                        }[];
                        provider: string;
                        team_id: number;
                    };
                };
            };
            /** @description A parameter or the body is invalid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The control token is missing or wrong. */
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
            /** @description The `Host` is not the simulator's own, or the `Origin` is foreign. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such world, team, key or contact. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    simulateFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @default 0 */
                    bytes?: number;
                    content_type: string;
                    /** @description Must match exactly. */
                    url: string;
                };
            };
        };
        responses: {
            /** @description The file. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @default 0 */
                        bytes?: number;
                        content_type: string;
                        /** @description Must match exactly. */
                        url: string;
                    };
                };
            };
            /** @description A parameter or the body is invalid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The control token is missing or wrong. */
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
            /** @description The `Host` is not the simulator's own, or the `Origin` is foreign. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such world. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    simulateInvoice: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    invoice_id: components["schemas"]["OwnedId"];
                    /**
                     * @default paid
                     * @constant
                     */
                    outcome?: "paid";
                };
            };
        };
        responses: {
            /** @description The invoice as it is now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Invoice"];
                };
            };
            /** @description A parameter or the body is invalid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The control token is missing or wrong. */
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
            /** @description The `Host` is not the simulator's own, or the `Origin` is foreign. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such world or invoice. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The invoice is already paid or void. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    simulateOutcome: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    account_id?: number;
                    idempotency_key?: string;
                    key?: components["schemas"]["KeyName"];
                    /** @enum {unknown} */
                    outcome: "paid" | "failed";
                    team_order_id?: components["schemas"]["TeamOrderId"];
                };
            };
        };
        responses: {
            /** @description The payment as it is now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Payment"];
                };
            };
            /** @description A parameter or the body is invalid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The control token is missing or wrong. */
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
            /** @description The `Host` is not the simulator's own, or the `Origin` is foreign. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such world, key, account or order, or no order or settlement with that idempotency key. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description None of the parcels can reach that stage from where it is. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    simulatePayment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    gift_id?: components["schemas"]["OwnedId"];
                    /** @enum {unknown} */
                    outcome: "settled" | "failed" | "uncertain";
                    payment_id?: components["schemas"]["OwnedId"];
                    team_order_id?: components["schemas"]["OwnedId"];
                };
            };
        };
        responses: {
            /** @description The payment as it is now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TeamPayment"];
                };
            };
            /** @description A parameter or the body is invalid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The control token is missing or wrong. */
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
            /** @description The `Host` is not the simulator's own, or the `Origin` is foreign. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such world, payment, order or gift. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The payment has already settled or failed. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    simulatePersonalization: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    account_id?: number;
                    key?: components["schemas"]["KeyName"];
                    product: components["schemas"]["ProductName"];
                    /** @default true */
                    reviewed?: boolean;
                };
            };
        };
        responses: {
            /** @description The product as it is now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Product"];
                };
            };
            /** @description A parameter or the body is invalid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The control token is missing or wrong. */
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
            /** @description The `Host` is not the simulator's own, or the `Origin` is foreign. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such world, product, key or account. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The product needs no review. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    simulatePreview: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {unknown} */
                    outcome: "ready" | "failed";
                    /** @description The id from a response, of any team and mode. */
                    preview_id: number | string;
                };
            };
        };
        responses: {
            /** @description The preview as it is now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        failure: string | null;
                        finished_at: components["schemas"]["Instant"];
                        preview_id: number | string;
                        /** @enum {unknown} */
                        status: "ready" | "failed";
                    };
                };
            };
            /** @description A parameter or the body is invalid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The control token is missing or wrong. */
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
            /** @description The `Host` is not the simulator's own, or the `Origin` is foreign. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such world or preview. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description None of the parcels can reach that stage from where it is. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    simulatePrice: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    price_cents: components["schemas"]["Cents"];
                    product: components["schemas"]["ProductName"];
                };
            };
        };
        responses: {
            /** @description The product as it is now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Product"];
                };
            };
            /** @description A parameter or the body is invalid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The control token is missing or wrong. */
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
            /** @description The `Host` is not the simulator's own, or the `Origin` is foreign. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such world, product, key or account. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    simulateProof: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {unknown} */
                    decision: "approve" | "request_changes" | "sign";
                    /** @description The text of the review. `sign` ignores it. */
                    note?: string;
                    /** @description The id of a proof or its order item, of any team and mode. */
                    proof_id: components["schemas"]["OwnedId"];
                    /**
                     * @description The user name of the approver or owner who signs. Default: the team's first approver, or else its
                     *     owner. In a sandbox no user is recorded.
                     */
                    user?: string;
                };
            };
        };
        responses: {
            /** @description The proof as it is now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Proof"];
                };
            };
            /** @description A parameter or the body is invalid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The control token is missing or wrong. */
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
            /** @description The `Host` is not the simulator's own, or the `Origin` is foreign. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such world, proof or user. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description It has no version, is decided already, or the user may not sign. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    simulateShipment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    campaign_id?: components["schemas"]["OwnedId"];
                    gift_id?: components["schemas"]["OwnedId"];
                    order_id?: number;
                    recipient?: components["schemas"]["RecipientIndex"];
                    recipient_id?: components["schemas"]["RecipientId"];
                    team_order_id?: components["schemas"]["TeamOrderId"];
                    /** @enum {unknown} */
                    to: "in_production" | "labeled" | "shipped" | "delivered" | "delayed" | "rejected";
                };
            };
        };
        responses: {
            /** @description The parcels that moved. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        parcels: components["schemas"]["Parcel"][];
                    };
                };
            };
            /** @description A parameter or the body is invalid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The control token is missing or wrong. */
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
            /** @description The `Host` is not the simulator's own, or the `Origin` is foreign. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such world, order, recipient, shipment or link. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description None of the parcels can reach that stage from where it is. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The gift was claimed or canceled, or its link has expired. */
            410: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    simulateSingleOrder: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description By default the account of `partner.prepaid`. */
                    account_id?: number;
                    country?: components["schemas"]["Country"];
                    key?: components["schemas"]["KeyName"];
                    /** @enum {unknown} */
                    to: "shipped" | "delivered";
                };
            };
        };
        responses: {
            /** @description The parcel as it is now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Parcel"];
                };
            };
            /** @description A parameter or the body is invalid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The control token is missing or wrong. */
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
            /** @description The `Host` is not the simulator's own, or the `Origin` is foreign. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such world, key or account. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    simulateTeam: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    ach_enabled?: boolean;
                    add_cents?: components["schemas"]["SignedCents"];
                    agent_access?: boolean;
                    api_enabled?: boolean;
                    balance_cents?: components["schemas"]["Cents"];
                    /** @description A team without credit terms gets active terms with its first limit. */
                    credit?: {
                        credit_limit_cents?: components["schemas"]["Cents"];
                        net_days?: number;
                        /** @enum {unknown} */
                        status?: "none" | "active" | "suspended";
                    };
                    plan?: components["schemas"]["Plan"];
                    team_id?: components["schemas"]["TeamName"];
                };
            };
        };
        responses: {
            /** @description The team as it is now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Team"];
                };
            };
            /** @description A parameter or the body is invalid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The control token is missing or wrong. */
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
            /** @description The `Host` is not the simulator's own, or the `Origin` is foreign. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such world or team. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The balance would fall below 0. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listSnapshots: {
        parameters: {
            query?: {
                /** @description Only entries after this number. */
                after?: components["parameters"]["After"];
                limit?: components["parameters"]["Limit"];
            };
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Snapshots. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        next: components["schemas"]["Next"];
                        snapshots: components["schemas"]["Snapshot"][];
                    };
                };
            };
            /** @description A parameter or the body is invalid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The control token is missing or wrong. */
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
            /** @description The `Host` is not the simulator's own, or the `Origin` is foreign. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such world. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    saveSnapshot: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                };
            };
        };
        responses: {
            /** @description The snapshot. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Snapshot"];
                };
            };
            /** @description The name is invalid, or there are 100 snapshots already. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The control token is missing or wrong. */
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
            /** @description The `Host` is not the simulator's own, or the `Origin` is foreign. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such world. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description An advance of the world waits for a held delivery, or the world was deleted in the meantime. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Deliveries are still in flight after the longest wait, because a receiver hangs. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteSnapshot: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The world was deleted. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        deleted: string;
                    };
                };
            };
            /** @description A parameter is invalid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The control token is missing or wrong. */
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
            /** @description The `Host` is not the simulator's own, or the `Origin` is foreign. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such world or snapshot. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    restoreSnapshot: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The world. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["World"];
                };
            };
            /** @description A parameter is invalid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The control token is missing or wrong. */
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
            /** @description The `Host` is not the simulator's own, or the `Origin` is foreign. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such world or snapshot. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description An advance of the world waits for a held delivery, or the world was deleted in the meantime. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Deliveries are still in flight after the longest wait, because a receiver hangs. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listTeams: {
        parameters: {
            query?: {
                /** @description Only entries after this number. */
                after?: components["parameters"]["After"];
                limit?: components["parameters"]["Limit"];
            };
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Teams, starting with the team of the named credentials. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        next: components["schemas"]["Next"];
                        teams: components["schemas"]["Team"][];
                    };
                };
            };
            /** @description A parameter or the body is invalid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The control token is missing or wrong. */
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
            /** @description The `Host` is not the simulator's own, or the `Origin` is foreign. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such world. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listTimers: {
        parameters: {
            query?: {
                /** @description Only entries after this number. */
                after?: components["parameters"]["After"];
                limit?: components["parameters"]["Limit"];
            };
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Timers, including the next hourly run. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        next: components["schemas"]["Next"];
                        timers: components["schemas"]["Timer"][];
                    };
                };
            };
            /** @description A parameter or the body is invalid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The control token is missing or wrong. */
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
            /** @description The `Host` is not the simulator's own, or the `Origin` is foreign. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such world. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listTitles: {
        parameters: {
            query: {
                /** @description Kinds and ids, separated by commas, such as `team_order:1001,gift:60000001`; at most 200. */
                of: string;
            };
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Titles. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        next: null;
                        titles: {
                            id: components["schemas"]["OwnedId"];
                            /** @enum {unknown} */
                            kind: "team_order" | "gift" | "campaign";
                            title: components["schemas"]["Title"];
                        }[];
                    };
                };
            };
            /** @description A parameter or the body is invalid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The control token is missing or wrong. */
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
            /** @description The `Host` is not the simulator's own, or the `Origin` is foreign. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such world. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getTrace: {
        parameters: {
            query?: {
                /** @description The page, or only its data. */
                format?: "html" | "json";
            };
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The page; with `format=json` its data, which are described by `trace/schema.json` of the package. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                    "text/html": string;
                };
            };
            /** @description A parameter is invalid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The control token is missing or wrong. */
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
            /** @description The `Host` is not the simulator's own, or the `Origin` is foreign. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such world. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The world was deleted, or an advance or a delivery is under way for too long. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Deliveries are still in flight after the longest wait, because a receiver hangs. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    makeTrace: {
        parameters: {
            query?: {
                /** @description The page, or only its data. */
                format?: "html" | "json";
            };
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["TraceFacts"];
            };
        };
        responses: {
            /** @description The page; with `format=json` its data, which are described by `trace/schema.json` of the package. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                    "text/html": string;
                };
            };
            /** @description The body or a parameter is invalid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The control token is missing or wrong. */
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
            /** @description The `Host` is not the simulator's own, or the `Origin` is foreign. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such world. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The world was deleted, or an advance or a delivery is under way for too long. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Deliveries are still in flight after the longest wait, because a receiver hangs. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listUndo: {
        parameters: {
            query?: {
                /** @description Only entries after this number. */
                after?: components["parameters"]["After"];
                /** @description Whether to list all actions, not only client writes. */
                all?: boolean;
                limit?: components["parameters"]["Limit"];
            };
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What can be undone. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        next: components["schemas"]["Next"];
                        undo: {
                            at: components["schemas"]["Instant"];
                            call: number | null;
                            /** @description The name of the credential. */
                            credential: string | null;
                            /** @enum {unknown} */
                            kind: "call" | "control" | "clock" | "snapshot";
                            method: string | null;
                            n: number;
                            /** @description An operationId. */
                            operation: string | null;
                            path: string | null;
                            summary: string;
                            /**
                             * @description The number of the last change before it. What happened before the simulator started, or
                             *     before the fork of the world, has negative numbers.
                             */
                            to: number;
                        }[];
                    };
                };
            };
            /** @description A parameter or the body is invalid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The control token is missing or wrong. */
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
            /** @description The `Host` is not the simulator's own, or the `Origin` is foreign. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such world. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    undoWorld: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /**
                     * @description How many writes to undo.
                     * @default 1
                     */
                    count?: number;
                    /** @description The number of a change. `count` must be left out. */
                    to?: number;
                };
            };
        };
        responses: {
            /** @description The client writes that were undone, newest first. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        now: components["schemas"]["Instant"];
                        undone: {
                            at: components["schemas"]["Instant"];
                            method: string;
                            path: string;
                        }[];
                    };
                };
            };
            /** @description A parameter or the body is invalid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The control token is missing or wrong. */
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
            /** @description The `Host` is not the simulator's own, or the `Origin` is foreign. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such world. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There are too few writes, the first inputs were dropped, or an advance waits for a held delivery. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Deliveries are still in flight after the longest wait, because a receiver hangs. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getUsage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A world's id. */
                w: components["parameters"]["World"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Usage, in order of first use. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description All client calls of the world. */
                        calls: number;
                        /** @description The number of the first call that is counted. */
                        since: number | null;
                        usage: {
                            calls: number;
                            credential: string | null;
                            interface: string | null;
                            last_at: components["schemas"]["Instant"];
                            /** @description Null when no route matched. */
                            operation: string | null;
                            /** @description Calls with a status of 400 or above. */
                            refused: number;
                        }[];
                    };
                };
            };
            /** @description A parameter is invalid. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The control token is missing or wrong. */
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
            /** @description The `Host` is not the simulator's own, or the `Origin` is foreign. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such world. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
}
