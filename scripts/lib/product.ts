/** The folders with the sources of the product. */
export const PRODUCT: readonly string[] = ['src', 'server-rules', 'kit', 'provider/src'];
