import type { Fixture } from './fixture.ts';
import { steppedWidget, type SteppedWidget } from './stepped.tsx';
import { translate } from './translator.ts';

/** What a step shows. */
interface WalkStep {
  readonly id: string;
  readonly text: string;
}

function textOf(container: Element): string {
  const copy = container.cloneNode(true) as Element;
  // A suggested passphrase is another one each time.
  for (const one of copy.querySelectorAll('[data-part=announcer], [data-part=phrase]')) one.remove();
  return copy.textContent ?? '';
}

/** One widget goes through the fixtures of its screen, forth and back. */
async function walkThrough(fixtures: readonly Fixture[], place: Element, isTranslated: boolean): Promise<WalkStep[]> {
  const steps: WalkStep[] = [];
  let widget: SteppedWidget | undefined;
  let stop = (): void => {};
  for (const fixture of [...fixtures, ...[...fixtures].reverse().slice(1)]) {
    if (widget === undefined) {
      widget = steppedWidget(fixture, place);
      if (isTranslated) stop = translate(widget.container);
    }
    await widget.show(fixture);
    steps.push({ id: fixture.id, text: textOf(widget.container) });
    // A screen that threw stays so: the next fixture has another widget.
    if (widget.container.querySelector('[data-screen=Failure]')) {
      stop();
      widget.close();
      widget = undefined;
    }
  }
  stop();
  widget?.close();
  return steps;
}

/** The steps at which a translated widget shows other texts than one that is not translated. */
export async function differencesOf(fixtures: readonly Fixture[], place: Element) {
  const plain = await walkThrough(fixtures, place, false);
  const translated = await walkThrough(fixtures, place, true);
  return plain.flatMap(({ id, text }, at) => {
    const other = translated[at]?.text;
    return other === text ? [] : [{ id, after: plain[at - 1]?.id ?? null, text, other }];
  });
}
