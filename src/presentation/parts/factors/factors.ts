import { factors as texts } from '../../messages/en/factors.ts';
import codesCss from '../../theme/parts/codes.css?inline';
import css from '../../theme/parts/factors.css?inline';
import pagesCss from '../../theme/parts/pages.css?inline';
import profileCss from '../../theme/parts/profile.css?inline';
import type { Parts } from '../parts.ts';
import { SecondFactor } from './SecondFactor.tsx';

/** The second factor of a login: its proof, and its enrolment. */
export const part: Parts['factors'] = {
  texts,
  styles: [pagesCss, codesCss, profileCss, css],
  screens: { SecondFactor },
};
