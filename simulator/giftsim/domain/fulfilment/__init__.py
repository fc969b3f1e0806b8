"""Orders, their recipients and what is sent to them; partner and team orders share one fulfilment."""
