# frozen_string_literal: true

require "openssl"

# Checks the signatures of webhooks.
module Webhooks
  PLAIN_NUMBER = /\A(0|[1-9][0-9]{0,14})\z/.freeze

  # Whether a webhook was signed with the endpoint's secret at most `tolerance` seconds before or after `now`.
  def self.genuine?(body, header, secret, now: Time.now.to_i, tolerance: 300)
    fields = header.to_s.b.split(",", -1).map { |field| field.split("=", 2) }
    times = fields.filter_map { |name, value| value.to_s if name == "t" }
    digests = fields.filter_map { |name, value| value.to_s if name == "v1" }
    return false if secret.to_s.strip.empty? || times.size != 1 || !times[0].match?(PLAIN_NUMBER)

    expected = OpenSSL::HMAC.hexdigest("SHA256", secret, "#{times[0]}.".b + body.b)
    matches = digests.map { |digest| OpenSSL.secure_compare(digest, expected) }.any?
    matches && (now - times[0].to_i).abs <= tolerance
  end
end
