/** As for other waits, for those of Testing Library. */
import { configure } from '@testing-library/react';
import { PATIENCE_MS } from '../patience-ms.ts';

configure({ asyncUtilTimeout: PATIENCE_MS });
