import type { Action, ClockMove } from '#application/inspector/actions.ts';
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
  const descriptions: readonly ActionDescription[] = [
    { off: ['Expire this code', 'expire code'] },
    { off: ['Go offline', 'go offline'], on: ['Go online', 'go online'], isOn: () => actions.isOffline },
    { off: ['Rate-limit me', 'limit rate'], on: ['End the rate limit', 'end limit'], isOn: () => actions.isLimited },
    { off: ['Deny at the provider', 'deny login'] },
  ];
  const why = el('p', { class: 'dim' });
  const which = el('p', { class: 'dim' });
  const buttons = descriptions.map(({ off, on = off, isOn = () => false }) => {
    const now = () => (isOn() ? on : off);
    const node = button(off[0], () => say(actions.run(now()[1])));
    return { made: node, isOn, now };
  });
  const moves = MOVES.map(([label, move]) => {
    const node = button(label, () => say(actions.move(move)));
    return { made: node, needsSession: typeof move !== 'number' };
  });
  const [element, title] = group('actions', 'Try');
  element.append(
    title,
    el('div', { class: 'row' }, ...buttons.map(({ made: node }) => node)),
    why,
    status,
    el('p', { class: 'subtitle', set: { id: 'clock' } }, 'Move the clock'),
    el(
      'div',
      { class: 'row', set: { role: 'group', 'aria-labelledby': 'clock' } },
      ...moves.map(({ made: node }) => node),
    ),
    which,
    el(
      'div',
      { class: 'row' },
      button('Set everything back', () => say(actions.run('set back'))),
    ),
  );

  const show = (): void => {
    const reasons = new Set<string>();
    for (const { made: node, isOn, now } of buttons) {
      const [label, action] = now();
      const blocked = actions.blocked(action);
      if (blocked !== null) reasons.add(blocked);
      setText(node, label);
      node.classList.toggle('on', isOn());
      disable(node, blocked);
    }
    const nobody = model.session() === null ? 'Nobody is signed in.' : null;
    for (const { made: node, needsSession } of moves) disable(node, needsSession ? nobody : null);
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
function disable(node: HTMLButtonElement, reason: string | null): void {
  if (reason === null) {
    node.removeAttribute('aria-disabled');
    node.removeAttribute('title');
  } else {
    node.setAttribute('aria-disabled', 'true');
    node.title = reason;
  }
}
