import { LANGUAGES } from '#domain/widget/language.ts';
import { PRESETS } from '#presentation/theme/presets/presets.ts';

/**
 * How the gallery shows its fixtures; each choice is a parameter of the address. `fixture` shows one, or those with commas between, `screen` those of
 * one screen, `shadow` puts them in a shadow root and `hostile` among a host's worst rules.
 */
export const CHOICES = {
  preset: {
    label: 'Theme',
    values: { '': 'None', ...Object.fromEntries(Object.keys(PRESETS).map((name) => [name, name])) },
  },
  width: { label: 'Width', values: { '': 'As themed', '320': '320 px', '400': '400 px' } },
  dir: { label: 'Direction', values: { '': 'As spoken', ltr: 'Left to right', rtl: 'Right to left' } },
  language: {
    label: 'Language',
    values: { '': 'As in the fixture', ...Object.fromEntries(LANGUAGES.map((tag) => [tag, nameOf(tag)])) },
  },
} as const satisfies Readonly<Record<string, { label: string; values: Readonly<Record<string, string>> }>>;

/** The switch of the header changes the scheme; an address with `scheme` has that one until the switch is used. */
const SCHEMES: ReadonlySet<string> = new Set(['light', 'dark']);

export type View = Readonly<Record<keyof typeof CHOICES | 'scheme', string>>;

function nameOf(tag: string): string {
  return new Intl.DisplayNames([tag], { type: 'language' }).of(tag) ?? tag;
}

/** The view that an address asks for; what it names amiss is left to the fixtures. */
export function viewOf(query: URLSearchParams): View {
  const chosen = Object.entries(CHOICES).map(([name, { values }]) => {
    const value = query.get(name) ?? '';
    return [name, Object.hasOwn(values, value) ? value : ''];
  });
  const scheme = query.get('scheme') ?? '';
  return { ...Object.fromEntries(chosen), scheme: SCHEMES.has(scheme) ? scheme : '' } as View;
}

function option(value: string, text: string, selected: boolean): HTMLOptionElement {
  const element = document.createElement('option');
  Object.assign(element, { value, selected });
  element.textContent = text;
  return element;
}

/** Fills the form with the choices. A change leads to the address that it makes. */
export function showChoices(form: HTMLFormElement, view: View, query: URLSearchParams): void {
  for (const [name, { label, values }] of Object.entries(CHOICES)) {
    const field = document.createElement('label');
    const select = document.createElement('select');
    select.name = name;
    select.append(
      ...Object.entries(values).map(([value, text]) => option(value, text, value === view[name as keyof View])),
    );
    field.append(label, select);
    form.append(field);
  }
  form.addEventListener('change', () => {
    const next = new URLSearchParams(query);
    for (const select of form.querySelectorAll('select')) {
      if (select.value === '') next.delete(select.name);
      else next.set(select.name, select.value);
    }
    location.search = next.toString();
  });
}
