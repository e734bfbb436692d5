import { social as texts } from '../../messages/en/social.ts';
import css from '../../theme/parts/social.css?inline';
import type { Parts } from '../parts.ts';
import { DeclinedAt } from './DeclinedAt.tsx';
import { OneTap } from './OneTap.tsx';
import { ProviderMark } from './ProviderMark.tsx';

/** The additions to the buttons of the social logins. */
export const part: Parts['social'] = { texts, styles: [css], screens: {}, DeclinedAt, OneTap, ProviderMark };
