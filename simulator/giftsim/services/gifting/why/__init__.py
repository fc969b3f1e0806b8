"""Why an order, a gift, a campaign or an approval has not got as far as somebody expected."""
