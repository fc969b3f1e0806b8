"""The three modelled interfaces, each a contract with its handlers and views; none knows of another."""
