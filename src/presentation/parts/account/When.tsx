import { useTime } from '../../hooks/useTime.ts';
import { useWidget } from '../../hooks/useWidget.ts';
import { elapsed } from '../passkeys/elapsed.ts';

const WEEK_MS = 604_800_000;

interface Props {
  readonly id: 'account.sessions.used' | 'account.sessions.started';
  /** RFC 3339. */
  readonly time: string;
}

/** A text with a time: within a week in words, such as "yesterday", before that as a date. The full time is its tooltip. */
export function When({ id, time }: Props) {
  const { language, model, t } = useWidget();
  const full = useTime('full')(time);
  const at = Date.parse(time);
  const now = model.clock.now();
  const when =
    now - at < WEEK_MS
      ? new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(...elapsed(at, now))
      : Number.isNaN(at)
        ? time
        : new Intl.DateTimeFormat(language, { dateStyle: 'medium' }).format(at);
  return (
    <time dateTime={time} title={full}>
      {t(id, { time: when })}
    </time>
  );
}
