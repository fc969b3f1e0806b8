# frozen_string_literal: true

require "json"
require "net/http"
require_relative "webhooks"

# An app that orders gifts: what you have, and what the tests are about.
class Shop
  attr_accessor :secret # of the webhook endpoint
  attr_reader :shipped # the orders whose parcels are on their way, by event id

  def initialize(base_url, key)
    @base_url, @key, @shipped = base_url, key, {}
  end

  # Orders a mug, and tries again if the answer is lost; the id of the order.
  def order_mug(email)
    order = {
      idempotency_key: "mug-#{email}", gift_sender: "Ada",
      items: [{ sku_code: "MUG-01" }], recipients: [{ name: "Bo", email: email }]
    }.to_json
    begin
      answer = post("/api/external/team-orders", order)
    rescue IOError, SystemCallError
      answer = post("/api/external/team-orders", order)
    end
    answer["team_order"]["id"]
  end

  # The webhook endpoint: the status that it answers with.
  def receive(body, signature)
    return 400 unless Webhooks.genuine?(body, signature, secret)

    event = JSON.parse(body)
    shipped[event["id"]] = event["data"] if event["type"] == "team_order.shipped"
    200
  end

  private

  def post(path, body)
    headers = { "Authorization" => "Bearer #{@key}", "Content-Type" => "application/json" }
    response = Net::HTTP.post(URI(@base_url + path), body, headers)
    answer = JSON.parse(response.body)
    raise "#{response.code} #{answer["error"]["code"]}" unless response.is_a?(Net::HTTPSuccess)

    answer
  end
end
