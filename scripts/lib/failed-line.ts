/** Begins a line with the name of a failed test. */
export const FAILED_LINE = 'FAILED ';
