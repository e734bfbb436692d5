import { describe, expect, it } from 'vitest';
import { allFlows } from './all.ts';
import { makeFakeWorld } from './on-fakes.ts';

allFlows({ describe, it, expect }, 'on the fakes', makeFakeWorld);
