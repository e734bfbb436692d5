import { placeText, type Totals } from '../operators/users/import-lines.ts';
import type { Row } from '../operators/desk/listing.ts';
import type { SourceLine } from './import-source.ts';
import type { ActionRunner } from './operate.ts';

/** A batch is a transaction. */
const BATCH_LINES = 1_000;
/** The batches that are under way at the same time. No two lines of a file have the same id or address, so that none waits for another. */
const AT_ONCE = 2;

interface SentLines {
  readonly lines: readonly SourceLine[];
  readonly answer: ReturnType<ActionRunner['run']>;
}

/** The result of one line. */
export interface LineOutcome {
  readonly line: SourceLine;
  readonly result: keyof Totals;
  readonly user_id: unknown;
  readonly reason: unknown;
  /** What the line has and an existing user lacks. */
  readonly brings: readonly string[];
}

/** Sends lines in batches, and reports the result of each. */
export class ImportBatches {
  readonly totals = { imported: 0, exists: 0, refused: 0 };
  private readonly underWay: SentLines[] = [];
  private batch: SourceLine[] = [];
  private bytes = 0;

  constructor(
    private readonly operating: ActionRunner,
    private readonly report: (outcome: LineOutcome) => void,
  ) {}

  async add(line: SourceLine): Promise<void> {
    const size = Buffer.byteLength(line.text) + 1;
    if (this.batch.length >= BATCH_LINES || this.bytes + size > this.operating.mostBytes) await this.send();
    this.batch.push(line);
    this.bytes += size;
  }

  async send(): Promise<void> {
    if (this.batch.length === 0) return;
    const answer = this.operating.run('users.import', { lines: this.batch.map(({ text }) => JSON.parse(text) as Row) });
    // The error is that of the first batch that failed.
    answer.catch(() => undefined);
    this.underWay.push({ lines: this.batch, answer });
    this.batch = [];
    this.bytes = 0;
    if (this.underWay.length >= AT_ONCE) await this.settle();
  }

  /** Waits for all batches that were sent. */
  async end(): Promise<void> {
    while (this.underWay.length > 0) await this.settle();
  }

  private async settle(): Promise<void> {
    const submission = this.underWay.shift();
    if (submission === undefined) return;
    const { rows } = await submission.answer;
    const results = (Array.isArray(rows) ? rows : []) as readonly Row[];
    for (const [index, line] of submission.lines.entries()) {
      const { result, reason, user_id, brings } = results[index] ?? {
        result: 'refused',
        reason: 'The server gave no reason.',
      };
      const kind = result === 'imported' || result === 'exists' ? result : 'refused';
      this.totals[kind] += 1;
      this.report({ line, result: kind, user_id, reason, brings: Array.isArray(brings) ? (brings as string[]) : [] });
    }
  }
}

export function refusalText({ line, reason }: LineOutcome): string {
  return `${placeText(line)}: ${String(reason)}`;
}
