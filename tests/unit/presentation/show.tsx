import { act, render } from '@testing-library/react';
import { BehaviorSubject } from 'rxjs';
import type { WidgetModel } from '#application/widget/widget-model.ts';
import { VirtualClock } from '#kit/ports/virtual-clock.ts';
import type { Intent, Outcome } from '#domain/screens/event.ts';
import type { Screen } from '#domain/screens/screen.ts';
import { reduce } from '#domain/screens/reduce.ts';
import { INITIAL_STATE, type WidgetState } from '#domain/screens/widget-state.ts';
import type { Language } from '#domain/widget/language.ts';
import type { StyleConfig } from '#domain/widget/theme.ts';
import type { LoginConfig } from '#domain/widget/widget-config.ts';
import type { StringOverrides } from '#presentation/messages/catalogue.ts';
import { loadPart } from '#presentation/parts/load-part.ts';
import '#presentation/parts/passwords/passphrase-words.ts';
import { Widget } from '#presentation/Widget.tsx';
import { EMAIL_OTP, NOW, otpSent } from '../../gallery/fixtures.ts';

for (const part of ['login', 'marks', 'mails', 'phones', 'passwords', 'wallets', 'passkeys', 'consent'] as const)
  await loadPart(part);

/** The real reducer, the server played by the test. */
export class PlayedModel implements WidgetModel {
  readonly clock = new VirtualClock(NOW);
  readonly rules = { value: () => ({}), load: () => Promise.resolve() };
  readonly intents: Intent[] = [];
  private readonly states: BehaviorSubject<WidgetState>;
  readonly state$;

  constructor(initial: WidgetState) {
    this.states = new BehaviorSubject(initial);
    this.state$ = this.states.asObservable();
  }

  get isWatched(): boolean {
    return this.states.observed;
  }

  getState(): WidgetState {
    return this.states.value;
  }

  send(intent: Intent): void {
    this.intents.push(intent);
    this.states.next(reduce(this.states.value, intent));
  }

  /** What came of it. */
  tell(...outcomes: Outcome[]): void {
    act(() => {
      for (const outcome of outcomes) this.states.next(reduce(this.states.value, outcome));
    });
  }

  set(change: Partial<WidgetState>): void {
    act(() => this.states.next({ ...this.states.value, ...change }));
  }

  async pass(ms: number): Promise<void> {
    await act(async () => this.clock.advance(ms));
  }

  sent(type: Intent['type']): Intent[] {
    return this.intents.filter((intent) => intent.type === type);
  }
}

interface Options {
  readonly config?: LoginConfig;
  readonly styles?: StyleConfig;
  readonly strings?: StringOverrides;
  readonly language?: Language;
  readonly container?: HTMLElement;
  readonly takesFocus?: boolean;
}

export function showState(
  change: Partial<WidgetState>,
  { config = EMAIL_OTP, styles, strings, language, container, takesFocus = false }: Options = {},
) {
  const model = new PlayedModel({ ...INITIAL_STATE, ...change });
  const view = render(
    <Widget {...{ model, config, styles, strings, language, takesFocus }} />,
    container ? { container } : {},
  );
  return { model, ...view };
}

export function showScreen(screen: Screen, options?: Options) {
  return showState({ screen }, options);
}

export const OTP_SCREEN: Screen = { name: 'OTPAuthenticate', otp: otpSent() };
