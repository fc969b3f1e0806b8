# For each line: the wall clock before and after a real wait, and how long that was.
$stdout.sync = true
mutex = Mutex.new
$stdin.each_line do
  begun, before = Process.clock_gettime(Process::CLOCK_MONOTONIC), Time.now
  mutex.synchronize { ConditionVariable.new.wait(mutex, 0.1) }
  elapsed = Process.clock_gettime(Process::CLOCK_MONOTONIC) - begun
  puts [(before.to_r * 1000).round, (Time.now.to_r * 1000).round, (elapsed * 1000).round].join(' ')
end
