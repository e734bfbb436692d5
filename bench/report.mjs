/** What the measurements say, in words. */

const count = (value) => Math.round(value).toLocaleString('en');

/** @returns {string[]} */
export function clientLines({ rbac, roundTrip }) {
  const rates = Object.entries(rbac);
  const [smallest] = rates;
  return [
    'Permission checks per second, by the number of permissions (the same rate is flat):',
    ...rates.map(
      ([size, rate]) => `  ${count(Number(size))}: ${count(rate)}, ${(rate / smallest[1]).toFixed(2)} of the smallest`,
    ),
    '',
    'An authenticate round trip of the client on the transport in memory, its answer included:',
    `  ${roundTrip.microseconds.toFixed(0)} µs, ${(roundTrip.bytes / 1024).toFixed(1)} KiB allocated`,
  ];
}

/** @param {string | null} reason why there was no PostgreSQL */
export function providerLines({ pglite, postgres }, reason) {
  const line = (name, { oneAtATime, tenAtOnce }) =>
    `  ${name}: ${oneAtATime.toFixed(0)} one at a time, ${tenAtOnce.toFixed(0)} with ten at once`;
  return [
    'Logins by emailed passcode per second, the provider in one process without a network:',
    line('PGlite', pglite),
    postgres ? line('PostgreSQL', postgres) : `  PostgreSQL: not measured (${reason})`,
  ];
}

/** @param {{ build: string, slowdown: number, visible: number, script: number }[]} times */
export function timeLines(times) {
  const ms = (value) => `${value.toFixed(0)} ms`;
  return [
    'From script evaluation to a visible email field (Chromium, median), and what scripts took of it:',
    ...times.map(({ build, slowdown, visible, script }) => {
      const against = times.find((one) => one.build === build && one.slowdown === 1);
      const ratio = slowdown === 1 ? '' : `, ${(visible / against.visible).toFixed(1)} times as long`;
      return `  ${build}, processor slowed ${slowdown}x: ${ms(visible)}, scripts ${ms(script)}${ratio}`;
    }),
  ];
}

/** @param {{ visible: number, requests: string[] }} consent */
export function authorizeLines({ visible, requests }) {
  return [
    'Consent for another app, by somebody who is signed in (Chromium, median):',
    `  ${visible.toFixed(0)} ms from the navigation to its buttons; ${requests.length} requests of the API: ${requests.join(', ')}`,
  ];
}
