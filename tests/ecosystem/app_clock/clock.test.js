// A test of an app in the same process, in Jest and in Vitest: the world's time, real time-outs of tests, timers that are faked.
const SECONDS = 1_799_053_200 // 2027-01-04T09:00:00Z
const advance = async (by) => {
  const url = `${process.env.GIFTSIM_CONTROL}/clock/advance`
  const answer = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ by }) })
  if (!answer.ok) throw new Error(await answer.text())
}

test('the time follows the world', async () => {
  expect(Date.now()).toBe(SECONDS * 1000)
  await new Promise((resolve) => setTimeout(resolve, 50))
  await advance('10d')
  expect(new Date().toISOString()).toBe('2027-01-14T09:00:00.000Z')
  expect(new Date()).toBeInstanceOf(Date)
  let hours = 0
  const counted = setInterval(() => (hours += 1), 3_600_000)
  await advance('1d')
  clearInterval(counted)
  expect(hours).toBe(24)
})

test('timers can be faked on top', () => {
  const fake = typeof jest === 'undefined' ? vi : jest
  fake.useFakeTimers()
  fake.setSystemTime(5)
  let fired = 0
  setTimeout(() => (fired += 1), 1_000)
  fake.advanceTimersByTime(1_000)
  expect([fired, Date.now()]).toEqual([1, 1_005])
  fake.useRealTimers()
  expect(new Date().toISOString()).toBe('2027-01-15T09:00:00.000Z')
})
