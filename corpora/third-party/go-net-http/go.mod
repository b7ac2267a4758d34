module petstore-net-http

go 1.26
