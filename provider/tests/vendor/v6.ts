import { createStytchClient } from '@stytch/vanilla-js/headless';
import { clientOptions, expose, publicToken } from './expose.ts';

expose(createStytchClient(publicToken, clientOptions));
