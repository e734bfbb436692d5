import { describe, expect, it } from 'vitest';
import { FakeFormPost } from '#kit/ports/fake-form-post.ts';
import { formPostContract } from './form-post.contract.ts';

formPostContract({ describe, it, expect }, 'FakeFormPost', () => {
  const formPost = new FakeFormPost();
  return { formPost, posted: () => formPost.posted, leftovers: () => 0 };
});
