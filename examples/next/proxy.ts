import { proxy as guard } from './lib/auth';

/** Sends whoever is signed out to the sign-in page before a page is rendered. The pages check for themselves, too. */
export const proxy = guard();

export const config = { matcher: ['/account/:path*'] };
