import type { Choices } from '../parts/choices.ts';
import { el } from '../parts/dom.ts';
import { checkbox, group, numberField, select, type Option } from './controls.ts';
import type { MakeSection } from './section.ts';

const LANGUAGES: readonly Option[] = [
  ['en', 'English'],
  ['de', 'Deutsch'],
  ['es', 'Español'],
  ['fr', 'Français'],
  ['ja', '日本語'],
  ['ar', 'العربية'],
  ['pt', 'Português'],
  ['zh', '简体中文'],
  ['auto', 'The browser’s own'],
];

/** The language of the widget. */
export const languageSection: MakeSection = (address) => {
  const language = select('Language of the widget', LANGUAGES, (next) => address.choose({ language: next }));
  const { element, note } = group('Language', true, language.element);
  return {
    element,
    show: (choices) => {
      note(choices.language);
      language.show(choices.language);
    },
  };
};

const WALLETS: readonly Option[] = [
  ['none', 'Those of this browser'],
  ['agrees', 'A test wallet that agrees'],
  ['refuses', 'A test wallet that refuses'],
];

/** Whether the page has a wallet. */
export const walletSection: MakeSection = (address) => {
  const wallet = select('Wallets on this page', WALLETS, (next) =>
    address.choose({ wallet: next as Choices['wallet'] }),
  );
  const { element, note } = group(
    'Wallets',
    false,
    wallet.element,
    el('p', { class: 'hint' }, 'The test wallet signs with keys of this tab. Another choice loads the page anew.'),
  );
  return {
    element,
    show: (choices) => {
      note(choices.wallet === 'none' ? '' : 'test wallet');
      wallet.show(choices.wallet);
    },
  };
};

/** The remaining options of the configuration. */
export const sessionSection: MakeSection = (address) => {
  const edit = (fields: Partial<Choices['config']>) =>
    address.choose({ config: { ...address.choices.config, ...fields } });
  const range = { min: 5, max: 527_040, unit: 'minutes' };
  const minutes = numberField('Session', range, (sessionDurationMinutes) =>
    edit({ sessionOptions: { sessionDurationMinutes } }),
  );
  const remember = checkbox('Mark the way somebody logged in last', (on) =>
    edit({ rememberLastMethod: on ? undefined : false }),
  );
  const shadow = checkbox('In a shadow root', (on) => edit({ enableShadowDOM: on ? true : undefined }));
  const stay = checkbox('Keep the success screen', (on) => address.choose({ stay: on }));
  const { element } = group('Session and page', false, minutes.element, remember.element, shadow.element, stay.element);
  return {
    element,
    show({ config, stay: stays }) {
      minutes.show(config.sessionOptions?.sessionDurationMinutes ?? 30);
      remember.show(config.rememberLastMethod !== false);
      shadow.show(config.enableShadowDOM === true);
      stay.show(stays);
    },
  };
};
