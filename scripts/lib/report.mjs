/**
 * The tally of a test run: stages that ran side by side, what each counted, and the closing lines.
 *
 * A stage that throws counts as one failure, and so does one that was held up by another's failure.
 */

const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`;

export class Report {
  passed = 0;
  failed = 0;
  skipped = 0;
  notes = [];

  constructor(say = console.log) {
    this.say = say;
  }

  /**
   * Runs one stage and counts it.
   *
   * @param {() => Promise<{ ok: boolean, output?: string, note?: string, passed?: number, failed?: number, skipped?: number }>} work
   *   without numbers the stage counts as one test
   * @returns {Promise<boolean>} whether it held
   */
  async stage(name, work) {
    const started = Date.now();
    let verdict;
    try {
      verdict = await work();
    } catch (error) {
      verdict = { ok: false, output: error?.stack ?? String(error) };
    }
    const counts = verdict.passed ?? verdict.failed;
    const passed = counts === undefined ? Number(verdict.ok) : (verdict.passed ?? 0);
    // A stage can fail without a failed test: it crashed, or it ran none.
    const failed = verdict.ok ? 0 : Math.max(1, verdict.failed ?? 1);
    this.passed += passed;
    this.failed += failed;
    this.skipped += verdict.skipped ?? 0;
    const note = [verdict.note, seconds(Date.now() - started)].filter(Boolean).join(', ');
    this.say(`${verdict.ok ? 'ok  ' : 'FAIL'} ${name} (${note})`);
    if (!verdict.ok && verdict.output) this.say(`${verdict.output.trimEnd()}\n`);
    return verdict.ok;
  }

  /** A stage that needs what failed: counted as failed, because nothing showed that it holds. */
  heldUp(name, by) {
    this.failed += 1;
    this.say(`FAIL ${name} (not run: ${by} failed)`);
  }

  note(line) {
    this.notes.push(line);
  }

  /** The very last line is the one that other tools read. */
  close() {
    const skipped = this.skipped > 0 ? `, ${this.skipped} skipped` : '';
    this.say(['', ...this.notes, `${this.passed} passed, ${this.failed} failed${skipped}`].join('\n'));
    return this.failed === 0 ? 0 : 1;
  }
}

/** At most `width` of the stages at a time, in order. @param {(() => Promise<unknown>)[]} stages */
export async function sideBySide(stages, width = 2) {
  const queue = [...stages];
  const lane = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) await next();
  };
  await Promise.all(Array.from({ length: width }, lane));
}
