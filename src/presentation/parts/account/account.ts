import { account as texts } from '../../messages/en/account.ts';
import css from '../../theme/parts/account.css?inline';
import codesCss from '../../theme/parts/codes.css?inline';
import dangerCss from '../../theme/parts/danger.css?inline';
import pagesCss from '../../theme/parts/pages.css?inline';
import profileCss from '../../theme/parts/profile.css?inline';
import { loadAccountTexts } from '../../messages/account-texts.ts';
import type { Parts } from '../parts.ts';
import { Account } from './Account.tsx';

/** The page on which users see and change their account. */
export const part: Parts['account'] = {
  texts,
  styles: [pagesCss, codesCss, dangerCss, profileCss, css],
  screens: { Account },
  loadTexts: loadAccountTexts,
};
