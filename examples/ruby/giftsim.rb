# frozen_string_literal: true

# Helpers for tests with giftsim, to copy: one simulator for all tests, and a world for each. Standard library only.

require "json"
require "net/http"
require "socket"

# One simulator: that of GIFTSIM_URL, or one that is started at the first use and ends with the tests.
module Giftsim
  CONTROL = "/_sim/v1/worlds"

  def self.url
    @url ||= ENV["GIFTSIM_URL"] || start
  end

  def self.start
    output = IO.popen(["giftsim", "serve", "--port", "0", "--json"])
    Kernel.at_exit { Process.kill("TERM", output.pid) }
    JSON.parse(output.gets || raise("giftsim cannot be started"))["origin"]
  end

  # Sends a request; the JSON of the answer.
  def self.call(method, path, body = nil, headers = {})
    uri = URI(url + path)
    request = Net::HTTPGenericRequest.new(method, !body.nil?, true, uri, { "Content-Type" => "application/json" }.merge(headers))
    request.body = body.to_json unless body.nil?
    response = Net::HTTP.start(uri.host, uri.port) { |http| http.request(request) }
    raise "#{method} #{path}: #{response.code} #{response.body}" unless response.is_a?(Net::HTTPSuccess)

    JSON.parse(response.body) unless response.body.to_s.empty?
  end

  # A server on this machine for webhooks, while the block runs with its address; `app` gets the body and the signature.
  def self.listen(app)
    server = TCPServer.new("127.0.0.1", 0)
    thread = Thread.new { loop { answer(server.accept, app) } }
    yield "http://127.0.0.1:#{server.addr[1]}"
  ensure
    thread&.kill
    server&.close
  end

  def self.answer(socket, app)
    socket.gets
    headers = {}
    while (line = socket.gets.to_s.chomp) != ""
      name, value = line.split(": ", 2)
      headers[name.downcase] = value
    end
    body = socket.read(headers["content-length"].to_i)
    status = app.receive(body, headers["x-service-signature"])
    socket.write("HTTP/1.1 #{status} -\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
  ensure
    socket.close
  end

  # One test's own world: nobody else sees or disturbs it.
  class World
    def initialize(fixture: "empty")
      @world = Giftsim.call("POST", CONTROL, { fixture: fixture })
    end

    # The value of a credential, such as partner.prepaid.
    def key(name)
      @world["credentials"].fetch(name)["value"]
    end

    # Calls the test-control API about this world.
    def control(method, path = "", body = nil)
      Giftsim.call(method, "#{CONTROL}/#{@world["id"]}#{path}", body)
    end

    # Moves the clock: "3d", "1h".
    def advance(by)
      control("POST", "/clock/advance", { by: by })
    end

    # Claims the gift of an order's only recipient, as that person would.
    def claim(order)
      control("POST", "/simulate/claim", { team_order_id: order, recipient: 0 })
    end

    # The orders of this world.
    def orders
      control("GET", "/orders")["orders"]
    end

    # Creates a webhook endpoint whose webhooks go to a server on this machine; its secret.
    def subscribe(server, path, *events)
      control("PUT", "/receivers/hooks.shop.example", { mode: "forward", to: server })
      body = { url: "https://hooks.shop.example#{path}", events: events }
      Giftsim.call("POST", "/api/external/webhooks", body, "Authorization" => "Bearer #{key("partner.prepaid")}")["secret"]
    end

    # Deletes the world.
    def delete
      control("DELETE")
    end
  end
end
