import type { Routes } from '../http/endpoints.ts';
import { events } from './events.ts';
import { magicLinks } from './magic-links.ts';
import { otps } from './otps.ts';
import { projects } from './projects.ts';
import { sessions } from './sessions.ts';
import { users } from './users.ts';

export const routes: Routes = { projects, users, sessions, magicLinks, otps, events };
