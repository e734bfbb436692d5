import type { Parts } from '../parts.ts';
import { FURTHER_MARKS } from './provider-marks.ts';

/** The logos of the social logins that are not in the first rendering. */
export const part: Parts['marks'] = { texts: {}, styles: [], screens: {}, FURTHER_MARKS };
