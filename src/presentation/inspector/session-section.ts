import { el, group, setText } from './el.ts';
import type { PanelModel, Section } from './model.ts';

/** `1:05:09`, `4:12` or `0:07`; `now` when there is nothing left. */
export function duration(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  if (seconds <= 0) return 'now';
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${hours > 0 ? `${hours}:${two(minutes)}` : String(minutes)}:${two(seconds % 60)}`;
}

const shift = (ms: number): string =>
  Math.abs(ms) < 500 ? 'real time' : `${duration(Math.abs(ms))} ${ms > 0 ? 'ahead' : 'behind'}`;

/** The offsets of the clocks. The provider's clock is read at another moment than this client's. */
function shifts({ client, provider }: { readonly client: number; readonly provider: number | null }): string {
  if (provider === null) return `this client ${shift(client)}`;
  if (Math.abs(client - provider) < 2_000) return client === 0 ? shift(client) : `both ${shift(client)}`;
  return `this client ${shift(client)}, the provider ${shift(provider)}`;
}

/** The remaining lifetime of the session, its next refresh, and the tab that refreshes it. */
export function sessionSection(model: PanelModel): Section {
  const rows = el('dl', {});
  /** A row with its text; a row without text is hidden. */
  const row = (term: string): ((text: string | null) => void) => {
    const name = el('dt', {}, term);
    const value = el('dd', {});
    rows.append(name, value);
    return (text) => {
      name.hidden = text === null;
      value.hidden = text === null;
      setText(value, text ?? '');
    };
  };
  const who = row('Signed in');
  const ends = row('Ends in');
  const refresh = row('Next refresh in');
  const factors = row('Factors');
  const leader = row('Leading tab');
  const tabs = row('Open tabs');
  const clocks = row('Clock');
  const [element, title] = group('session', 'Session');
  element.append(title, rows);

  let lastCountAt = 0;
  const countTabs = (): void => {
    // The interval is long, because all tabs read one list.
    if (Date.now() - lastCountAt < 2_000) return;
    lastCountAt = Date.now();
    void model.tabs().then((count) => tabs(count === null ? null : `${count} with the inspector`));
  };

  const show = (): void => {
    const times = model.session();
    const now = model.now();
    who(times === null ? 'nobody' : null);
    ends(times === null ? null : duration(times.endsAt - now));
    const next = times?.nextRefreshAt ?? null;
    const failures = times !== null && times.failures > 0 ? `, ${times.failures} failed` : '';
    refresh(next === null ? null : `${duration(next - now)}${failures}`);
    factors(times === null || times.factors.length === 0 ? null : times.factors.join(', '));
    const last = model.log.latest('refresh');
    leader(times === null && last === null ? null : (last?.by ?? 'none has refreshed yet'));
    clocks(shifts(model.actions.clocks));
    countTabs();
  };
  return { element, show };
}
