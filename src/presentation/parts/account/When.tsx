import { useTime } from '../../hooks/useTime.ts';
import { useWidget } from '../../hooks/useWidget.ts';
import { ago, DAY_MS } from '../passkeys/elapsed.ts';

interface Props {
  readonly id: 'account.sessions.used' | 'account.sessions.started';
  /** RFC 3339. */
  readonly time: string;
}

/** A text with a time: within a day in words, such as "2 hours ago", otherwise as a date with the time. */
export function When({ id, time }: Props) {
  const { language, model, t } = useWidget();
  const medium = useTime('medium');
  const at = Date.parse(time);
  const now = model.clock.now();
  return <time dateTime={time}>{t(id, { time: now - at < DAY_MS ? ago(at, now, language) : medium(time) })}</time>;
}
