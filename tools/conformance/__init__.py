"""HTTP servers, ours and others, held against RFC 9110 and RFC 9112: about 250 requests, byte by byte."""
