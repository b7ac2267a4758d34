import type { Fingerprint } from './fingerprint.ts';

export const gin: readonly Fingerprint[] = [
  {
    product: 'gin',
    writer: "gin's router",
    source: 'gin-gonic/gin, gin.go (default404Body, default405Body)',
    advice: 'Set NoRoute and NoMethod, and HandleMethodNotAllowed to true',
    matches: ({ contentType, text }) => contentType === 'text/plain' && ['404 page not found', '405 method not allowed'].includes(text),
  },
  {
    product: 'gin',
    writer: "gin's BindJSON, which sets the media type of the 400 before the handler writes its body",
    source: 'gin-gonic/gin, context.go (MustBindWith, AbortWithError)',
    advice: 'Call ShouldBindJSON in place of BindJSON, and write the response yourself',
    matches: ({ status, contentType, text }) =>
      status === 400 &&
      contentType === 'text/plain; charset=utf-8' &&
      /Field validation for|json: cannot unmarshal|invalid character '|unexpected EOF|"EOF"/.test(text),
  },
];
