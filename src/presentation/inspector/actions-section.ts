import type { Action, ClockMove } from '../../application/inspector/actions.ts';
import { button, el, group, setText } from './el.ts';
import type { PanelModel, Section } from './model.ts';

const MINUTE_MS = 60_000;
const MOVES: readonly (readonly [label: string, move: ClockMove])[] = [
  ['+1 min', MINUTE_MS],
  ['+10 min', 10 * MINUTE_MS],
  ['To the next refresh', 'next refresh'],
  ['Past the session', 'end of session'],
];

/** A switch has two labels and two actions; a plain button has one. */
interface ActionDescription {
  readonly off: readonly [label: string, action: Action];
  readonly on?: readonly [label: string, action: Action];
  readonly isOn?: () => boolean;
}

/** The buttons that trigger states that are slow to reach. An unavailable button stays focusable and shows the reason. */
export function actionsSection(model: PanelModel): Section {
  const { actions } = model;
  const status = el('p', { class: 'status', set: { role: 'status' } });
  const tell = async (done: Promise<string>): Promise<void> => {
    setText(status, await done);
    show();
  };
  const say = (done: Promise<string>): void => void tell(done);
  const described: readonly ActionDescription[] = [
    { off: ['Expire this code', 'expire code'] },
    { off: ['Go offline', 'go offline'], on: ['Go online', 'go online'], isOn: () => actions.isOffline },
    { off: ['Rate-limit me', 'limit rate'], on: ['End the rate limit', 'end limit'], isOn: () => actions.isLimited },
    { off: ['Deny at the provider', 'deny login'] },
  ];
  const why = el('p', { class: 'dim' });
  const which = el('p', { class: 'dim' });
  const buttons = described.map(({ off, on = off, isOn = () => false }) => {
    const now = () => (isOn() ? on : off);
    const made = button(off[0], () => say(actions.run(now()[1])));
    return { made, isOn, now };
  });
  const moves = MOVES.map(([label, move]) => {
    const made = button(label, () => say(actions.move(move)));
    return { made, needsSession: typeof move !== 'number' };
  });
  const [element, title] = group('actions', 'Try');
  element.append(
    title,
    el('div', { class: 'row' }, ...buttons.map(({ made }) => made)),
    why,
    status,
    el('p', { class: 'subtitle', set: { id: 'clock' } }, 'Move the clock'),
    el('div', { class: 'row', set: { role: 'group', 'aria-labelledby': 'clock' } }, ...moves.map(({ made }) => made)),
    which,
    el(
      'div',
      { class: 'row' },
      button('Set everything back', () => say(actions.run('set back'))),
    ),
  );

  const show = (): void => {
    const reasons = new Set<string>();
    for (const { made, isOn, now } of buttons) {
      const [label, action] = now();
      const blocked = actions.blocked(action);
      if (blocked !== null) reasons.add(blocked);
      setText(made, label);
      made.classList.toggle('on', isOn());
      disable(made, blocked);
    }
    const nobody = model.session() === null ? 'Nobody is signed in.' : null;
    for (const { made, needsSession } of moves) disable(made, needsSession ? nobody : null);
    const { provider } = actions.clocks;
    setText(why, [...reasons].join(' '));
    why.hidden = reasons.size === 0;
    setText(
      which,
      provider === null ? "Moves only this client's clock." : "Moves the provider's clock and this client's.",
    );
  };
  return { element, show };
}

/** A disabled button could not be focused, so its reason would be inaccessible. */
function disable(made: HTMLButtonElement, reason: string | null): void {
  if (reason === null) {
    made.removeAttribute('aria-disabled');
    made.removeAttribute('title');
  } else {
    made.setAttribute('aria-disabled', 'true');
    made.title = reason;
  }
}
