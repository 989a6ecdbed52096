import { defineArea } from '#kit/model/area.ts'

export const area = defineArea({
  name: 'products',
  key: 'product',
  icon: 'product',
  order: 80,
  dependsOn: ['organisation'],
  screens: {
    product: { route: '/product/list', key: 'product-list' },
    'course-package': { route: '/product/package', key: 'product-package' },
    coupon: { route: '/coupon/list', key: 'coupon-list' },
    'coin-goods': { route: '/product/coin', key: 'product-coin' },
    'code-batch': { route: '/product/exchange', key: 'product-exchange' },
  },
})
