/**
 * The totals of a test run: concurrent stages, their counts, and the closing lines.
 *
 * A stage that throws counts as one failure, and so does one that could not run because of another's failure.
 */

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

/** Without numbers a stage counts as one test. */
export interface Verdict {
  readonly ok: boolean;
  readonly output?: string;
  readonly note?: string;
  readonly passed?: number;
  readonly failed?: number;
  readonly skipped?: number;
}

export class Report {
  private passed = 0;
  private failed = 0;
  private skipped = 0;
  private readonly notes: string[] = [];
  private readonly say: (line: string) => void;

  constructor(say: (line: string) => void = console.log) {
    this.say = say;
  }

  /** Runs one stage, counts it, and returns whether it passed. */
  async stage(name: string, work: () => Promise<Verdict>): Promise<boolean> {
    const started = Date.now();
    let verdict: Verdict;
    try {
      verdict = await work();
    } catch (error) {
      verdict = { ok: false, output: error instanceof Error ? (error.stack ?? error.message) : String(error) };
    }
    this.passed += verdict.passed ?? Number(verdict.ok);
    // A stage can fail without a failed test: it crashed, or it ran none.
    this.failed += verdict.ok ? 0 : Math.max(1, verdict.failed ?? 1);
    this.skipped += verdict.skipped ?? 0;
    const note = [verdict.note, seconds(Date.now() - started)].filter(Boolean).join(', ');
    this.say(`${verdict.ok ? 'ok  ' : 'FAIL'} ${name} (${note})`);
    if (!verdict.ok && verdict.output) this.say(`${verdict.output.trimEnd()}\n`);
    return verdict.ok;
  }

  /** Counts a stage whose dependency failed as failed, because it did not run. */
  heldUp(name: string, by: string): void {
    this.failed += 1;
    this.say(`FAIL ${name} (not run: ${by} failed)`);
  }

  note(line: string): void {
    this.notes.push(line);
  }

  /** Other tools read the last line. */
  close(): number {
    const skipped = this.skipped > 0 ? `, ${this.skipped} skipped` : '';
    this.say(['', ...this.notes, `${this.passed} passed, ${this.failed} failed${skipped}`].join('\n'));
    return this.failed === 0 ? 0 : 1;
  }
}

/** At most `width` of the stages at a time, in order. */
export async function sideBySide(stages: readonly (() => Promise<unknown>)[], width = 2): Promise<void> {
  const queue = [...stages];
  const lane = async (): Promise<void> => {
    for (let next = queue.shift(); next; next = queue.shift()) await next();
  };
  await Promise.all(Array.from({ length: width }, lane));
}
