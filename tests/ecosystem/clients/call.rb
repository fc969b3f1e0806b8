# Makes one POST with Ruby's Net::HTTP, and prints the status and the body.
require "net/http"
response = Net::HTTP.post(URI(ARGV[0]), ARGV[1], "Content-Type" => "application/json")
puts "#{response.code} #{response.body}"
