/** Presses of buttons while a widget changes: what a browser test reads and does on the page. */
import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { BehaviorSubject } from 'rxjs';
import type { WidgetModel } from '#application/widget/widget-model.ts';
import { reduce } from '#domain/screens/reduce.ts';
import { applyTheme } from '#presentation/theme/apply-theme.ts';
import { Widget } from '#presentation/Widget.tsx';
import { act, isThere } from './acts.ts';
import { RELOAD } from './counted-reload.ts';
import type { Fixture } from './fixture.ts';
import { settled } from './stepped.tsx';

const BUTTONS = 'button, a[href], summary';
/** How long a busy processor works at once, and then rests. */
const BUSY_MS = 24;
const REST_MS = 8;
/** Nothing of a screen moves any more. */
const CALM_MS = 500;

/** A button that can be pressed, and where. */
export interface PressPlace {
  readonly name: string;
  readonly x: number;
  readonly y: number;
}

/** What came of a press. */
export interface PressOutcome {
  /** The press began on this button: it had not moved since its place was read. */
  readonly isHit: boolean;
  /** The button is still in the page. */
  readonly isThere: boolean;
  /** How often the button was clicked. */
  readonly clicks: number;
  /** The other buttons that were clicked. */
  readonly others: readonly string[];
  /** The intents of the widget since the press began, and the reloads of the page. */
  readonly intents: readonly string[];
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms));

const nameOf = (button: Element): string =>
  `${button.getAttribute('data-part')} ${(button.getAttribute('aria-label') ?? button.textContent).trim()}`;

/** The buttons that a pointer reaches. */
function buttonsOf(container: Element): readonly HTMLElement[] {
  return [...container.querySelectorAll<HTMLElement>(BUTTONS)].filter((button) => {
    const { left, top, width, height } = button.getBoundingClientRect();
    if (width === 0 || height === 0) return false;
    const at = document.elementFromPoint(left + width / 2, top + height / 2);
    return at !== null && button.contains(at);
  });
}

/** One widget in a state, in real time. */
class PressedWidget {
  readonly container = document.createElement('div');
  readonly intents: string[] = [];
  private readonly clicked: Element[] = [];
  private readonly states: BehaviorSubject<Fixture['state']>;
  private readonly root;
  private down: Element | null = null;
  private button: HTMLElement | null = null;

  constructor(place: Element, first: Fixture) {
    place.append(this.container);
    this.states = new BehaviorSubject(first.state);
    this.root = createRoot(this.container);
    this.container.addEventListener('pointerdown', this.begin, true);
    this.container.addEventListener('click', this.count, true);
    window.addEventListener(RELOAD, this.countReload);
  }

  render({ config, styles, strings, language }: Fixture): void {
    const { states, intents } = this;
    applyTheme(
      this.container,
      styles,
      () => {},
      () => {},
    );
    const model: WidgetModel = {
      state$: states.asObservable(),
      clock: {
        now: () => Date.now(),
        after: (ms, callback) => {
          const timer = setTimeout(callback, ms);
          return () => clearTimeout(timer);
        },
      },
      getState: () => states.value,
      send: (intent) => {
        intents.push(intent.type);
        states.next(reduce(states.value, intent));
      },
      rules: { value: () => ({}), load: () => Promise.resolve() },
    };
    this.root.render(createElement(Widget, { model, config, styles, strings, language }));
  }

  change({ state }: Fixture): void {
    this.states.next(state);
  }

  /** The place of a button, if possible of one that was not pressed before. */
  placeOf(at: number, pressed: Set<string>): PressPlace | null {
    const buttons = buttonsOf(this.container);
    const button = buttons.find((one) => !pressed.has(nameOf(one))) ?? buttons[at % buttons.length];
    if (button === undefined) return null;
    this.button = button;
    pressed.add(nameOf(button));
    const { left, top, width, height } = button.getBoundingClientRect();
    return { name: nameOf(button), x: left + width / 2, y: top + height / 2 };
  }

  outcome(): PressOutcome {
    const { button, down, clicked, intents } = this;
    return {
      isHit: button !== null && button === down,
      isThere: button?.isConnected === true,
      clicks: clicked.filter((one) => one === button).length,
      others: clicked.filter((one) => one !== button).map(nameOf),
      intents: [...intents],
    };
  }

  /** Clicks on the button of this name, if it is there. */
  click(name: string): void {
    const button = buttonsOf(this.container).find((one) => nameOf(one) === name);
    this.intents.length = 0;
    button?.click();
  }

  close(): void {
    window.removeEventListener(RELOAD, this.countReload);
    this.root.unmount();
    this.container.remove();
  }

  private readonly countReload = (): void => void this.intents.push(RELOAD);

  private readonly begin = (event: Event): void => {
    this.down = (event.target as Element).closest(BUTTONS);
    this.clicked.length = 0;
    this.intents.length = 0;
  };

  private readonly count = (event: Event): void => {
    const button = (event.target as Element).closest(BUTTONS);
    if (button !== null) this.clicked.push(button);
    // A link leads away.
    if (button?.matches('a[href]')) event.preventDefault();
  };
}

/** Keeps the processor busy three quarters of the time. */
function slowDown(): void {
  const end = performance.now() + BUSY_MS;
  while (performance.now() < end);
  setTimeout(slowDown, REST_MS);
}

/** A page that shows one widget after the other, for presses by a real pointer. */
export class PressedPage {
  private widget: PressedWidget | null = null;
  private fixtures: readonly Fixture[] = [];
  /** The names of the buttons of each screen that were pressed. */
  private readonly pressed = new Map<string, Set<string>>();

  constructor(
    private readonly place: Element,
    private readonly screens: ReadonlyMap<string, readonly Fixture[]>,
  ) {}

  slowDown(): void {
    slowDown();
  }

  /**
   * Shows a state of the screen, after another one.
   *
   * @param wait the milliseconds from the moment it shows to the press
   */
  async show(screen: string, state: number, wait: number): Promise<PressPlace | null> {
    const began = await this.begin(screen, state);
    await pause(Math.max(0, wait - (performance.now() - began)));
    const pressed = this.pressed.get(screen) ?? new Set();
    this.pressed.set(screen, pressed);
    return this.widget?.placeOf(state, pressed) ?? null;
  }

  /** The intents of a click on this button of the state, long after it has shown. */
  async calmIntents(screen: string, state: number, name: string): Promise<readonly string[] | undefined> {
    await this.begin(screen, state);
    await pause(CALM_MS);
    this.widget?.click(name);
    return (await this.outcome())?.intents;
  }

  private async begin(screen: string, state: number): Promise<number> {
    this.widget?.close();
    this.fixtures = this.screens.get(screen) ?? [];
    const fixture = this.fixture(state);
    this.widget = new PressedWidget(this.place, this.fixture(state + 1));
    this.widget.render(fixture);
    await settled();
    this.widget.change(fixture);
    const began = performance.now();
    for (const step of fixture.acts ?? []) {
      await settled();
      if (isThere(this.widget.container, step)) act(this.widget.container, step);
    }
    return began;
  }

  /** An answer arrives: the screen has another state. */
  change(state: number): void {
    this.widget?.change(this.fixture(state));
  }

  async outcome(): Promise<PressOutcome | null> {
    await settled();
    return this.widget?.outcome() ?? null;
  }

  private fixture(state: number): Fixture {
    return this.fixtures[state % this.fixtures.length] as Fixture;
  }
}
