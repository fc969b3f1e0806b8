module example.com/unseen

go 1.19
