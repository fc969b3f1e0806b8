# frozen_string_literal: true

require "minitest/autorun"
require_relative "giftsim"
require_relative "shop"

class ShopTest < Minitest::Test
  def setup
    @world = Giftsim::World.new
  end

  def teardown
    @world.delete
  end

  def shop(credential = "partner.prepaid")
    Shop.new(Giftsim.url, @world.key(credential))
  end

  def test_a_mug_is_delivered_within_six_days
    @world.claim(shop.order_mug("bo@example.com"))
    @world.advance("6d")
    assert_equal(["delivered"], @world.orders.map { |order| order["status"] })
  end

  def test_a_lost_answer_orders_once
    @world.control("POST", "/faults", { effect: { drop: "after" }, when: { first: 1 } })
    shop.order_mug("bo@example.com")
    assert_equal(1, @world.orders.size)
  end

  def test_an_account_without_funds_is_told_so
    refused = assert_raises(RuntimeError) { shop("partner.no_funds").order_mug("bo@example.com") }
    assert_equal("402 insufficient_funds_no_card", refused.message)
  end

  def test_the_shop_learns_from_a_webhook_that_a_mug_was_shipped
    app = shop
    Giftsim.listen(app) do |server|
      app.secret = @world.subscribe(server, "/hooks", "team_order.shipped")
      @world.claim(app.order_mug("bo@example.com"))
      @world.advance("6d")
      assert_equal(1, app.shipped.size)
      assert_equal("400", Net::HTTP.post(URI(server), '{"type": "team_order.shipped"}').code)
    end
  end

  def test_the_verifier_decides_as_every_test_vector_says
    path = IO.popen(["python3", "-c", "from giftsim import verify; print(verify.vectors_path())"], &:read).strip
    skip("no Python with giftsim") if path.empty?
    JSON.parse(File.read(path))["vectors"].each do |vector|
      body = vector["body_base64"]&.unpack1("m") || vector["body"]
      times = { now: vector["now"], tolerance: vector["tolerance"] }
      genuine = Webhooks.genuine?(body, vector["header"], vector["secret"], **times)
      assert_equal(vector["verdict"] == "accepted", genuine, vector["name"])
    end
  end
end
