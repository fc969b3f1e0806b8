# A shop that polls: a thread reminds its staff each morning, and another one takes webhooks. Ten days pass.
require 'json'
require 'net/http'
require 'socket'

orders, body, port = ARGV
reminders, webhooks = [], []
headers = { 'Content-Type' => 'application/json' }
Net::HTTP.post(URI(orders), body, headers)

server = TCPServer.new('127.0.0.1', port.to_i)
Thread.new do
  loop do
    client = server.accept
    path = client.gets.split[1]
    length = 0
    while (line = client.gets.chomp) != ''
      length = line.split[1].to_i if line.downcase.start_with?('content-length:')
    end
    text = client.read(length)
    webhooks << JSON.parse(text)['type'] if path == '/hooks'
    client.write("HTTP/1.1 #{path == '/hooks' ? 200 : 404} -\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
    client.close
  end
end

due = Time.now + 86_400
Thread.new do
  loop do
    while Time.now >= due
      Net::HTTP.get(URI(orders))
      reminders << due.utc.strftime('%F %T')
      due += 86_400
    end
    sleep 0.005
  end
end

begun = Process.clock_gettime(Process::CLOCK_MONOTONIC)
advance = Net::HTTP.post(URI("#{ENV['GIFTSIM_CONTROL']}/clock/advance"), '{"by": "10d"}', headers)
took = Process.clock_gettime(Process::CLOCK_MONOTONIC) - begun
sleep 0.01 until reminders.size >= 10
problems = JSON.parse(advance.body)['app_clock']['problems']
puts JSON.generate(reminders: reminders, webhooks: webhooks, problems: problems, took_ms: (took * 1000).round)
$stdout.flush
exit!(0)
