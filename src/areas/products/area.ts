import { defineArea } from '#kit/model/area.ts'

export const area = defineArea({
  name: 'products',
  key: 'product',
  icon: 'product',
  order: 50,
  screens: {
    product: { route: '/product/list', key: 'product-list' },
  },
})
