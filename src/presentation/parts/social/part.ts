import { DeclinedAt } from './DeclinedAt.tsx';
import { OneTap } from './OneTap.tsx';
import { ProviderMark } from './ProviderMark.tsx';
import { addTexts } from '../../messages/catalogue.ts';
import { oauth } from '../../messages/en/oauth.ts';
import css from '../../theme/parts/social.css?inline';
import { addStyles } from '../../theme/stylesheet.ts';

addStyles(css);
addTexts(oauth);

/** What comes to the social logins once their buttons stand. */
export const social = { DeclinedAt, OneTap, ProviderMark } as const;
