import { OneTap } from '../../components/OneTap.tsx';
import { ProviderMark } from '../../components/ProviderMark.tsx';
import css from '../../theme/parts/social.css?inline';
import { addStyles } from '../../theme/stylesheet.ts';

addStyles(css);

/** What comes to the social logins once their buttons stand. */
export const social = { OneTap, ProviderMark } as const;
