import { passkeys as texts } from '../../messages/en/passkeys.ts';
import dangerCss from '../../theme/parts/danger.css?inline';
import pagesCss from '../../theme/parts/pages.css?inline';
import css from '../../theme/parts/passkeys.css?inline';
import { confirmation } from '../../components/confirmation.tsx';
import type { Parts } from '../parts.ts';
import { PasskeyList } from './PasskeyList.tsx';
import { PasskeyNote } from './PasskeyNote.tsx';
import { PasskeyOffer } from './PasskeyOffer.tsx';
import { PasskeyRegistrationStart } from './PasskeyRegistrationStart.tsx';
import { PasskeyRegistrationSuccess } from './PasskeyRegistrationSuccess.tsx';

/** The screens for creating and listing passkeys, and the success screen of a passkey login. */
export const part: Parts['passkeys'] = {
  texts,
  styles: [pagesCss, dangerCss, css],
  PasskeyList,
  PasskeyNote,
  screens: {
    PasskeyConfirmation: confirmation('passkeyConfirmation'),
    PasskeyOffer,
    PasskeyCreated: confirmation('passkeyCreated'),
    PasskeyRegistrationStart,
    PasskeyRegistrationSuccess,
  },
};
