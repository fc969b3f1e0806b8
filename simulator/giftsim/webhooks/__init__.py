"""Events, endpoints and deliveries: what is sent, to whom, when and how it is signed; nothing here opens a socket."""
