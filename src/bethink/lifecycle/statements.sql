-- name: add_plan
-- Keep what a consolidation changed.
insert into plans (tenant_id, scope_id, plan_id, state, engine, session, plan, before, created_at, revision)
values (:tenant, :scope, :plan, :state, :engine, :session, :body, :before, :now, :revision);

-- name: find_plan -> PlanRow
-- Find a plan by its number.
select plan_id, state, engine, session, plan, before, created_at, undone_at from plans
where tenant_id = :tenant and scope_id = :scope and plan_id = :plan /* for update */;

-- name: list_plans -> PlanRow
-- List the plans of a scope, newest first.
select plan_id, state, engine, session, plan, before, created_at, undone_at from plans
where tenant_id = :tenant and scope_id = :scope and plan_id < :below
order by plan_id desc limit :limit;

-- name: undone_plans -> UndonePlanRow
-- List the newest plans of a scope that were undone.
select plan, before from plans
where tenant_id = :tenant and scope_id = :scope and state = 'undone'
order by plan_id desc limit :limit;

-- name: count_plans
-- Count the plans of a scope.
select count(*) from plans where tenant_id = :tenant and scope_id = :scope;

-- name: mark_plan
-- Record that a plan was undone.
update plans set state = :state, undone_at = :now
where tenant_id = :tenant and scope_id = :scope and plan_id = :plan;

-- name: take_lease
-- Take a piece of work that nobody is at; a lease that is held answers no row.
insert into leases (tenant_id, scope_id, name, holder, until)
values (:tenant, :scope, :name, :holder, :until)
on conflict (tenant_id, scope_id, name) do update set holder = excluded.holder, until = excluded.until
where leases.until <= :now or leases.holder = excluded.holder
returning holder;

-- name: find_lease -> LeaseRow
-- Find who is at a piece of work, and until when.
select holder, until from leases where tenant_id = :tenant and scope_id = :scope and name = :name;

-- name: drop_lease
-- Let go of a piece of work.
delete from leases where tenant_id = :tenant and scope_id = :scope and name = :name and holder = :holder;

-- name: count_up (many)
-- Add to a count of a day.
insert into counters (tenant_id, scope_id, day, name, value) values (:tenant, :scope, :day, :name, :value)
on conflict (tenant_id, scope_id, day, name) do update set value = counters.value + excluded.value;

-- name: count_back
-- Take back what an undone plan had counted.
update counters set value = value - :value
where tenant_id = :tenant and scope_id = :scope and day = :day and name = :name;

-- name: list_counts -> CountRow
-- List the counts of a scope.
select day, name, value from counters where tenant_id = :tenant and scope_id = :scope order by day, name;

-- name: add_spend
-- Add to the tokens that models took in a day.
insert into spend (tenant_id, scope_id, day, operation, calls, tokens_in, tokens_out)
values (:tenant, :scope, :day, :operation, :calls, :tokens_in, :tokens_out)
on conflict (tenant_id, scope_id, day, operation)
do update set calls = spend.calls + excluded.calls, tokens_in = spend.tokens_in + excluded.tokens_in,
              tokens_out = spend.tokens_out + excluded.tokens_out;

-- name: list_spend -> SpendRow
-- List the tokens that models took.
select day, operation, calls, tokens_in, tokens_out from spend
where tenant_id = :tenant and scope_id = :scope and day >= :since
order by day, operation;
