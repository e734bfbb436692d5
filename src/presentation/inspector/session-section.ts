import { el, setText } from './el.ts';
import type { PanelModel, Section } from './model.ts';

/** `1:05:09`, `4:12` or `0:07`; `now` when there is nothing left. */
export function duration(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  if (seconds <= 0) return 'now';
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${hours > 0 ? `${hours}:${two(minutes)}` : String(minutes)}:${two(seconds % 60)}`;
}

/** `+ 1:30`, or an empty text for a clock that was not moved. */
export function shift(ms: number): string {
  return Math.abs(ms) < 500 ? 'real time' : `${ms > 0 ? 'ahead by' : 'behind by'} ${duration(Math.abs(ms))}`;
}

/** How long the session lasts, when it is refreshed, and by which tab. */
export function sessionSection(model: PanelModel): Section {
  const rows = el('dl', {});
  const row = (term: string): HTMLElement => {
    const value = el('dd', {});
    rows.append(el('dt', {}, term), value);
    return value;
  };
  const ends = row('Ends in');
  const refresh = row('Next refresh in');
  const factors = row('Factors');
  const leader = row('Refreshed by');
  const tabs = row('Tabs inspected');
  const clocks = row('Clocks');
  const element = el('section', { class: 'session' }, el('h2', {}, 'Session'), rows);

  let asked = 0;
  const countTabs = (): void => {
    // Rarely, because every tab answers from one list.
    if (Date.now() - asked < 2_000) return;
    asked = Date.now();
    void model.tabs().then((count) => setText(tabs, count === null ? 'unknown here' : String(count)));
  };

  const show = (): void => {
    const times = model.session();
    const now = model.now();
    setText(ends, times === null ? 'nobody is signed in' : duration(times.endsAt - now));
    const next = times?.nextRefreshAt ?? null;
    const failures = times !== null && times.failures > 0 ? `, ${times.failures} failed` : '';
    setText(refresh, next === null ? '–' : `${duration(next - now)}${failures}`);
    setText(factors, times === null || times.factors.length === 0 ? '–' : times.factors.join(', '));
    setText(leader, model.log.latest('refresh')?.by ?? 'no tab yet');
    const { client, provider } = model.actions.clocks;
    setText(clocks, `client ${shift(client)}${provider === null ? '' : `, provider ${shift(provider)}`}`);
    countTabs();
  };
  return { element, show };
}
