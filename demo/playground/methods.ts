import type { OAuthProvider, OneTapPosition, OTPMethods } from 'portico';
import { button, el } from '../parts/dom.ts';
import { checkbox, group, named, select, type Option } from './controls.ts';
import {
  METHODS,
  layoutOf,
  methodsOf,
  oneTapOf,
  PROVIDERS,
  productsOf,
  providersOf,
  setLayout,
  setMethod,
  setOneTap,
  setProvider,
  setProviders,
} from './edits.ts';
import type { MakeSection } from './section.ts';

const POSITIONS: readonly Option[] = [
  ['off', 'Off: a plain button'],
  ['embedded', 'Embedded'],
  ['floating', 'Floating'],
  ['embeddedOnly', 'Embedded only'],
  ['floatingOrEmbedded', 'Floating or embedded'],
  ['forceLegacyEmbedded', 'Embedded, the older way'],
];

const LAYOUTS: readonly Option[] = [
  ['list', 'Below each other'],
  ['row', 'Three or four in a row'],
];

/** The nineteen social logins, how they stand, and Google's prompt. */
export const socialSection: MakeSection = (address) => {
  const all = Object.keys(PROVIDERS) as OAuthProvider[];
  const boxes = all.map((type) => ({
    type,
    box: checkbox(PROVIDERS[type], (on) => address.choose({ config: setProvider(address.choices.config, type, on) })),
  }));
  const set = (types: readonly OAuthProvider[]) => () =>
    address.choose({ config: setProviders(address.choices.config, types) });
  const bulk = el('p', { class: 'bulk' }, button('All', 'quiet', set(all)), button('None', 'quiet', set([])));
  const oneTap = select('Google One Tap', POSITIONS, (position) =>
    address.choose({ config: setOneTap(address.choices.config, position as OneTapPosition | 'off') }),
  );
  const layout = select('Layout', LAYOUTS, (chosen) =>
    address.choose({ config: setLayout(address.choices.config, chosen === 'row' ? chosen : 'list') }),
  );
  const names = boxes.map(({ box }) => box.element);
  const providers = named('Providers', 'pairs', ...names);
  const { element, note } = group('Social logins', false, providers, bulk, layout.element, oneTap.element);
  return {
    element,
    show({ config }) {
      const chosen = providersOf(config);
      note(productsOf(config).includes('oauth') ? String(chosen.length) : 'off');
      for (const { type, box } of boxes) box.show(chosen.includes(type));
      layout.show(layoutOf(config));
      oneTap.show(oneTapOf(config));
    },
  };
};

const COUNTRIES = [
  'US',
  'GB',
  'CA',
  'DE',
  'FR',
  'ES',
  'IT',
  'NL',
  'CH',
  'BR',
  'MX',
  'IN',
  'JP',
  'AU',
  'NG',
  'AE',
  'EG',
];

function countryOptions(): readonly Option[] {
  const names = new Intl.DisplayNames(['en'], { type: 'region' });
  return COUNTRIES.map((code) => [code, names.of(code) ?? code] as const);
}

/** The delivery methods of passcodes. */
export const passcodeSection: MakeSection = (address) => {
  const all = Object.keys(METHODS) as OTPMethods[];
  const boxes = all.map((method) => ({
    method,
    box: checkbox(METHODS[method], (on) => address.choose({ config: setMethod(address.choices.config, method, on) })),
  }));
  const country = select('Country of telephone numbers', countryOptions(), (code) =>
    address.choose({ config: { ...address.choices.config, defaultCountry: code === 'US' ? undefined : code } }),
  );
  const names = boxes.map(({ box }) => box.element);
  const { element, note } = group('Passcodes', false, named('Sent by', 'pairs', ...names), country.element);
  return {
    element,
    show({ config }) {
      const chosen = methodsOf(config);
      const on = productsOf(config).includes('otp');
      note(on ? chosen.map((one) => METHODS[one] ?? one).join(', ') : 'off');
      for (const { method, box } of boxes) box.show(chosen.includes(method));
      country.show(config.defaultCountry ?? 'US');
    },
  };
};
