-- Numbers are found by the instant of the payment; the day beside it only says in which stretch of time they count.
drop index distribution_order_day;
