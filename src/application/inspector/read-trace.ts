import { SDKUsageError } from '#domain/errors.ts';
import { parseJson } from '#domain/json.ts';
import { isRecord, wrongFields, type Shape } from '#domain/shape.ts';
import { TRACE_FORMAT, TRACE_VERSION, type Trace, type TraceEntry } from './trace.ts';

const TRACE: Shape = {
  format: 'string',
  version: 'number',
  began_at: 'string',
  dropped: 'number',
  entries: 'object[]',
};
const ENTRY: Shape = { n: 'number', at: 'number', kind: 'string' };
const STEP: Shape = {
  widget: 'string',
  type: 'string',
  from: 'string',
  to: 'string',
  effect: 'string',
  data: 'object',
};
const KINDS: Readonly<Record<TraceEntry['kind'], Shape>> = {
  widget: { widget: 'string', change: 'string', screen: 'string' },
  intent: STEP,
  outcome: STEP,
  request: { call: 'string', method: 'string', path: 'string', ms: 'number', status: 'number?', error_type: 'string?' },
  event: { widget: 'string', type: 'string', data: 'object' },
  session: { change: 'string', factors: 'string[]', left_ms: 'number?' },
  refresh: { by: 'string' },
  control: { action: 'string', outcome: 'string' },
};

/** A limit above the size of any real entry. */
const MOST_LEVELS = 16;

const isDeeperThan = (levels: number, value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((inner) => isDeeperThan(levels - 1, inner)));

const wrong = (details: string): SDKUsageError => new SDKUsageError('readTrace', details);

function checkFields(shape: Shape, value: unknown, place: string): void {
  const first = wrongFields(shape, value)[0];
  if (first !== undefined) throw wrong(`${place}${first.message}`);
}

/** Reads a trace that was exported. Throws an `SDKUsageError` that names the problem. */
export function readTrace(text: string): Trace {
  const found = parseJson(text);
  if (!isRecord(found) || found['format'] !== TRACE_FORMAT) throw wrong('the text is not a trace of the inspector');
  if (found['version'] !== TRACE_VERSION) throw wrong(`version must be ${TRACE_VERSION}`);
  checkFields(TRACE, found, '');
  const entries = found['entries'] as readonly Readonly<Record<string, unknown>>[];
  for (const [at, entry] of entries.entries()) {
    const place = `entries[${at}].`;
    checkFields(ENTRY, entry, place);
    if (at > 0 && Number(entry['n']) <= Number(entries[at - 1]?.['n']))
      throw wrong(`${place}n must be larger than the one before`);
    const kind = String(entry['kind']);
    if (!Object.hasOwn(KINDS, kind)) throw wrong(`${place}kind is unknown`);
    if (isDeeperThan(MOST_LEVELS, entry))
      throw wrong(`${place.slice(0, -1)} is nested deeper than ${MOST_LEVELS} levels`);
    checkFields(KINDS[kind as TraceEntry['kind']], entry, place);
  }
  return found as unknown as Trace;
}
